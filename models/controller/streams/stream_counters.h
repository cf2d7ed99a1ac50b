// SPDX-License-Identifier: Apache-2.0
// Statistics `controller.streams`: what a policy with hot streams has separated.
#pragma once

#include <cstdint>

#include "core/statistics.h"

namespace nandscape::controller {

struct StreamCounters {
  // One for all hot streams together, and one for the cold stream.
  struct Side {
    std::uint64_t written_units = 0;  // by the host
    std::uint64_t victims = 0;        // blocks that were emptied for space
    std::uint64_t victim_units = 0;   // all units of these blocks
    std::uint64_t valid_units = 0;    // those that were valid, and were moved
  };

  Side hot;
  Side cold;
  // Units written by the host that are known to be hot, and those of them that were taken for hot.
  std::uint64_t known_hot_units = 0;
  std::uint64_t found_hot_units = 0;
};
void describe(const StreamCounters& counters, StatisticsVisitor& visitor);

}  // namespace nandscape::controller
