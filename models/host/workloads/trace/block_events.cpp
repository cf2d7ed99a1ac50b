// SPDX-License-Identifier: Apache-2.0
#include "host/workloads/trace/block_events.h"

#include <string_view>

namespace nandscape::host {
namespace {

constexpr std::string_view letters = "QDC";  // in the order of BlockEvent

}  // namespace

void describe(BlockEventParameters& p, ParameterVisitor& v) {
  v.choice("issue_action", p.issue_action,
           {{"Q", "when the block layer accepts the request, as the program made it"},
            {"D", "when the driver gets the request, after merging and scheduling"},
            {"C", "when the request completes, for a trace that has only completions"}},
           "event of a request that counts as its issue");
}

std::string BlockEvents::substitute() const {
  std::string others;
  for (std::size_t k = 0; k < seen_.size(); ++k) {
    if (seen_[k] && k != static_cast<std::size_t>(issue_))
      others += std::string(others.empty() ? "" : ", ") + letters[k];
  }
  if (others.empty()) return {};
  return std::string("it has no events of kind ") + letters[static_cast<std::size_t>(issue_)] + ", only of " + others +
         "; name the format and set issue_action";
}

}  // namespace nandscape::host
