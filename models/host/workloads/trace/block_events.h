// SPDX-License-Identifier: Apache-2.0
// Events of Linux's block layer, which traces have several of for each request; one of them counts as its issue.
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

// Picks the events that count and remembers which others there were.
class BlockEvents {
 public:
  explicit BlockEvents(const BlockEventParameters& parameters) : issue_(parameters.issue_action) {}

  bool counts(BlockEvent event) {
    seen_[static_cast<std::size_t>(event)] = true;
    return event == issue_;
  }

  // Of a trace without a request: the events that it has instead; empty when there are none.
  std::string substitute() const;

 private:
  BlockEvent issue_;
  std::array<bool, 3> seen_{};
};

}  // namespace nandscape::host
