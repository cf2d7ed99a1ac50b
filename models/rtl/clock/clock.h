// SPDX-License-Identifier: Apache-2.0
// The clock of a design. It has a frequency in MHz. Its period need not be an integral number of ticks. A cycle ends
// with a rising edge. The time of each edge is computed from the start and rounded to the nearest tick, so rounding
// errors do not accumulate.
#pragma once

#include <cstdint>
#include <string>

#include "core/error.h"
#include "core/ticks.h"

namespace nandscape::rtl {

// The length of a reset, in clock cycles.
inline constexpr std::uint64_t reset_cycles = 4;

class Clock {
 public:
  // Throws ConfigError unless the period is between two ticks (one for each edge) and one second.
  explicit Clock(double mhz) : mhz_(mhz), ticks_per_cycle_(1e6 / mhz) {
    if (!(ticks_per_cycle_ >= 2 && ticks_per_cycle_ <= static_cast<double>(second))) {
      throw ConfigError({}, "clock_mhz",
                        std::to_string(mhz) + " MHz is not a clock frequency; choose one from 1e-6 to 500000");
    }
  }

  double mhz() const { return mhz_; }
  // Returns the duration of `cycles` cycles.
  Tick span(std::uint64_t cycles) const { return nearest_tick(static_cast<double>(cycles) * ticks_per_cycle_); }
  // Returns the time from the beginning of cycle 0 to the falling edge in the middle of cycle `cycle`.
  Tick middle(std::uint64_t cycle) const { return nearest_tick((static_cast<double>(cycle) + 0.5) * ticks_per_cycle_); }
  // Returns the number of complete cycles in `time`.
  std::uint64_t cycles_in(Tick time) const {
    return static_cast<std::uint64_t>(static_cast<double>(time) / ticks_per_cycle_);
  }

 private:
  double mhz_;
  double ticks_per_cycle_;
};

}  // namespace nandscape::rtl
