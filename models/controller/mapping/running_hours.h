// SPDX-License-Identifier: Apache-2.0
// Converts simulated time to equivalent hours at 30 C, the unit in which the controller counts the ages of data.
#pragma once

#include <memory>
#include <utility>

#include "core/temperature_source.h"
#include "core/ticks.h"

namespace nandscape::controller {

class RunningHours {
 public:
  // `per_hour` is the number of equivalent hours at 30 C in one hour at the configured temperature.
  RunningHours(double per_hour, std::shared_ptr<const TemperatureSource> temperature)
      : per_hour_(per_hour), temperature_(std::move(temperature)) {}
  // Constructs the conversion for a drive that always has the configured temperature.
  explicit(false) RunningHours(double per_hour) : RunningHours(per_hour, std::make_shared<ConstantTemperature>(30)) {}

  double per_hour() const { return per_hour_; }
  double until(Tick now) const { return s_from_ticks(temperature_->aged(now)) / 3600 * per_hour_; }
  // Returns the tick at which `hours` more equivalent hours will have passed, or `never` if this is beyond the range of
  // simulated time.
  Tick after(double hours, Tick now) const {
    const double seconds = hours * 3600 / per_hour_;
    const Tick aged = temperature_->aged(now);
    return seconds < s_from_ticks(never - aged) / 2 ? temperature_->when_aged(aged + ticks_from_s(seconds)) : never;
  }

 private:
  double per_hour_;
  std::shared_ptr<const TemperatureSource> temperature_;
};

}  // namespace nandscape::controller
