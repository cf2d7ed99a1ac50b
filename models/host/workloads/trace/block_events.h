// SPDX-License-Identifier: Apache-2.0
// Events of the Linux block layer. A trace has several events for each request; one of them counts as its issue.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "core/parameters.h"

namespace nandscape::host {

enum class BlockEvent { queued, dispatched, completed };

struct BlockEventParameters {
  BlockEvent issue_action = BlockEvent::queued;
};

void describe(BlockEventParameters& parameters, ParameterVisitor& visitor);

// Selects the events that count as issues, and records which other events there were.
class BlockEvents {
 public:
  explicit BlockEvents(const BlockEventParameters& parameters) : issue_(parameters.issue_action) {}

  bool counts(BlockEvent event) {
    seen_[static_cast<std::size_t>(event)] = true;
    return event == issue_;
  }

  // The message for a trace without a request. It names the events that the trace has; empty if it has none.
  std::string substitute() const;

 private:
  BlockEvent issue_;
  std::array<bool, 3> seen_{};
};

}  // namespace nandscape::host
