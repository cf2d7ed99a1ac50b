// SPDX-License-Identifier: Apache-2.0
// How often the power went, and what that took.
#pragma once

#include <cstdint>

#include "core/statistics.h"
#include "core/ticks.h"

namespace nandscape::controller {

struct PowerLossCounters {
  std::uint64_t cuts = 0;
  std::uint64_t unsafe_shutdowns = 0;
  std::uint64_t power_cycles = 1;  // with the present one
  Tick hold_up = 0;
  Tick recovery = 0;
  Tick hold_up_needed = 0;        // the longest
  std::uint64_t needed_nj = 0;    // the most
  std::uint64_t lost_writes = 0;  // mapping units
  std::uint64_t lost_sectors = 0;
  std::uint64_t lost_promised_sectors = 0;
};

// The counters, and what follows from the configuration.
struct PowerLossFigures : PowerLossCounters {
  Tick hold_up_most = 0;
  double capacitor_v = 0;
  double cut_off_v = 0;
};
void describe(const PowerLossFigures& figures, StatisticsVisitor& visitor);

}  // namespace nandscape::controller
