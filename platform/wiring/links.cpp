// SPDX-License-Identifier: Apache-2.0
#include "platform/wiring/links.h"

#include <algorithm>

namespace nandscape {

bool Links::busy() const {
  return std::any_of(watched_.begin(), watched_.end(), [](const auto& link) { return link->outstanding() != 0; });
}

std::string Links::outstanding() const {
  std::string text;
  for (const auto& link : watched_) {
    const std::string histories = link->outstanding_histories();
    if (!histories.empty()) text += "\n  " + link->checker_name() + ":" + histories;
  }
  return text;
}

}  // namespace nandscape
