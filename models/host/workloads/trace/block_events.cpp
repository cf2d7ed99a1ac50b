// SPDX-License-Identifier: Apache-2.0
#include "host/workloads/trace/block_events.h"

#include <string_view>

namespace nandscape::host {
namespace {

constexpr std::string_view letters = "QDC";  // in the order of BlockEvent

}  // namespace

void describe(BlockEventParameters& p, ParameterVisitor& v) {
  v.choice("issue_action", p.issue_action,
           {{"Q", "when the block layer takes it, as the program asked for it"},
            {"D", "when the driver gets it, after merging and scheduling"},
            {"C", "when it completes, for a trace that has nothing else"}},
           "event of a request that counts as its issue");
}

std::string BlockEvents::substitute() const {
  std::string others;
  for (std::size_t k = 0; k < seen_.size(); ++k) {
    if (seen_[k] && k != static_cast<std::size_t>(issue_))
      others += std::string(others.empty() ? "" : ", ") + letters[k];
  }
  if (others.empty()) return {};
  return std::string("no event is of the kind ") + letters[static_cast<std::size_t>(issue_)] + ", but of " + others +
         ": name the format and set issue_action";
}

}  // namespace nandscape::host
