// SPDX-License-Identifier: Apache-2.0
// Events of the Linux block layer. A trace contains several events for each request. One of them, which the user
// chooses, counts as the issue of the request.
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

// Selects the events that count as the issue of a request, and records which kinds of events the trace contains.
class BlockEvents {
 public:
  explicit BlockEvents(const BlockEventParameters& parameters) : issue_(parameters.issue_action) {}

  bool counts(BlockEvent event) {
    seen_[static_cast<std::size_t>(event)] = true;
    return event == issue_;
  }

  // Returns a message for a trace in which no event counts as an issue. The message names the kinds of events that the
  // trace contains. Returns an empty string if the trace contains none.
  std::string substitute() const;

 private:
  BlockEvent issue_;
  std::array<bool, 3> seen_{};
};

}  // namespace nandscape::host
