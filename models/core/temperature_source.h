// SPDX-License-Identifier: Apache-2.0
// The temperature of the flash while the drive runs. A drive has one source, which its cells read for every sense, and
// its front end for the SMART log and the temperature threshold.
//
// The rate at which data age stays that of `nand.condition.temperature_c`.
#pragma once

#include "core/ticks.h"

namespace nandscape {

class TemperatureSource {
 public:
  virtual ~TemperatureSource() = default;
  virtual double celsius(Tick now) const = 0;
};

class ConstantTemperature final : public TemperatureSource {
 public:
  explicit ConstantTemperature(double celsius) : celsius_(celsius) {}
  double celsius(Tick) const override { return celsius_; }

 private:
  double celsius_;
};

}  // namespace nandscape
