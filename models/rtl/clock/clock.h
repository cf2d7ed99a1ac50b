// SPDX-License-Identifier: Apache-2.0
// The clock of a design: a frequency in MHz, whose period need not be a whole number of ticks. A cycle ends with a
// rising edge. Edges are rounded to the nearest tick one by one, so that no error adds up.
#pragma once

#include <cstdint>
#include <string>

#include "core/error.h"
#include "core/ticks.h"

namespace nandscape::rtl {

// Cycles for which a design is held in reset.
inline constexpr std::uint64_t reset_cycles = 4;

class Clock {
 public:
  // Throws ConfigError unless the period is between two ticks, which have room for both of its edges, and a second.
  explicit Clock(double mhz) : mhz_(mhz), ticks_per_cycle_(1e6 / mhz) {
    if (!(ticks_per_cycle_ >= 2 && ticks_per_cycle_ <= static_cast<double>(second))) {
      throw ConfigError({}, "clock_mhz", std::to_string(mhz) + " is no clock: it takes from 1e-6 to 500000 MHz");
    }
  }

  double mhz() const { return mhz_; }
  // How long so many cycles take.
  Tick span(std::uint64_t cycles) const { return nearest_tick(static_cast<double>(cycles) * ticks_per_cycle_); }
  // From the begin of the first cycle to the falling edge in the middle of cycle number `cycle`, counted from 0.
  Tick middle(std::uint64_t cycle) const { return nearest_tick((static_cast<double>(cycle) + 0.5) * ticks_per_cycle_); }
  // Cycles that begin within a time.
  std::uint64_t cycles_in(Tick time) const {
    return static_cast<std::uint64_t>(static_cast<double>(time) / ticks_per_cycle_);
  }

 private:
  double mhz_;
  double ticks_per_cycle_;
};

}  // namespace nandscape::rtl
