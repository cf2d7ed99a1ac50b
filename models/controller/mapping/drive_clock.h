// SPDX-License-Identifier: Apache-2.0
// The time by which the drive knows how old its data are, in hours as if at 30 C. It goes on without power: what has
// passed meanwhile the host tells at power-on, as NVMe's Timestamp does, or a clock with a battery.
#pragma once

#include "core/archive.h"
#include "core/ticks.h"

namespace nandscape::controller {

class DriveClock {
 public:
  // An hour in which the device runs counts as so many.
  explicit DriveClock(double running_hours) : running_hours_(running_hours) {}

  double hours(Tick now) const { return shelf_hours_ + s_from_ticks(now) / 3600 * running_hours_; }
  // Time has passed that is not simulated.
  void pass(double hours) { shelf_hours_ += hours; }
  // When so many hours will have passed that are simulated; never, if no simulation lasts so long.
  Tick after(double hours, Tick now) const {
    const double seconds = hours * 3600 / running_hours_;
    return seconds < s_from_ticks(never - now) / 2 ? now + ticks_from_s(seconds) : never;
  }

  // Simulated time goes on from one power cycle to the next.
  void persist(Archive& archive) {
    constexpr double most_hours = 1e12;  // more than any drive is kept
    archive.real(shelf_hours_, 0, most_hours, "the drive's clock, in hours,");
  }

 private:
  const double running_hours_;
  double shelf_hours_ = 0;  // not simulated
};

}  // namespace nandscape::controller
