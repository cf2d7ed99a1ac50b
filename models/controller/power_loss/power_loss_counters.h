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
};
void describe(const PowerLossCounters& counters, StatisticsVisitor& visitor);

}  // namespace nandscape::controller
