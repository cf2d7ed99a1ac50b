// SPDX-License-Identifier: Apache-2.0
// Parameters and statistics of `controller.power_loss`.
#pragma once

#include <cstdint>

#include "core/parameters.h"
#include "core/statistics.h"
#include "core/ticks.h"

namespace nandscape::controller {

enum class PowerLossProtection { capacitor, none };

struct PowerLossParameters {
  PowerLossProtection protection = PowerLossProtection::capacitor;
  double hold_up_ms = 250;
  double capacitor_v = 12;
  double cut_off_v = 6;
  double hold_up_w = 2;
  bool mapping_checkpoints = true;
};
void describe(PowerLossParameters& p, ParameterVisitor& v);

// Counts power losses, and measures the time and energy that saving has needed and the data that have been lost.
struct PowerLossCounters {
  std::uint64_t cuts = 0;
  std::uint64_t unsafe_shutdowns = 0;
  std::uint64_t power_cycles = 1;  // including the current one
  Tick hold_up = 0;
  Tick recovery = 0;
  Tick hold_up_needed = 0;        // the longest time that any save has needed
  std::uint64_t needed_nj = 0;    // the most energy that any save has needed
  std::uint64_t lost_writes = 0;  // number of mapping units
  std::uint64_t lost_sectors = 0;
  std::uint64_t lost_promised_sectors = 0;
};

// The counters together with figures that are derived from the configuration.
struct PowerLossFigures : PowerLossCounters {
  Tick hold_up_most = 0;
  double capacitor_v = 0;
  double cut_off_v = 0;
};
void describe(const PowerLossFigures& figures, StatisticsVisitor& visitor);

}  // namespace nandscape::controller
