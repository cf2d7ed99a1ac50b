// SPDX-License-Identifier: Apache-2.0
#include "platform/wiring/links.h"

#include <algorithm>

namespace nandscape {

bool Links::busy() const {
  const auto has_some = [](const auto& checker) { return checker->outstanding() != 0; };
  return std::any_of(commands_.begin(), commands_.end(), has_some) || std::any_of(jobs_.begin(), jobs_.end(), has_some);
}

std::string Links::outstanding() const {
  std::string text;
  const auto tell = [&text](const auto& checker) {
    const std::string histories = checker->outstanding_histories();
    if (!histories.empty()) text += "\n  " + std::string(checker->name()) + ":" + histories;
  };
  for (const auto& checker : commands_) tell(checker);
  for (const auto& checker : jobs_) tell(checker);
  return text;
}

}  // namespace nandscape
