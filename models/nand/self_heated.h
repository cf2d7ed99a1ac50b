// SPDX-License-Identifier: Apache-2.0
// The temperature of a drive that its own power heats (ThermalNetwork). The flash has the temperature of its packages.
// It is constant between two samples of the power, so that the age of data, once it has been told, never becomes less.
#pragma once

#include "core/parameters.h"
#include "core/temperature_source.h"
#include "nand/parameters.h"
#include "nand/thermal_network.h"

namespace nandscape::nand {

void describe(ThermalParameters& p, ParameterVisitor& v);

class SelfHeated final : public TemperatureSource {
 public:
  using Parameters = ThermalParameters;
  SelfHeated(const ThermalParameters& p, const NandParameters& nand);

  double celsius(Tick) const override { return network_.temperatures().packages_c; }
  double case_celsius(Tick) const override { return network_.temperatures().case_c; }
  // The power of the drive is unknown in advance, so these are the extremes of a drive that draws none.
  TemperatureExtremes extremes() const override { return {ambient_c_, ambient_c_}; }
  Tick aged(Tick now) const override;
  Tick when_aged(Tick aged) const override { return search_aged(aged); }

  bool follows_power() const override { return true; }
  void take_heat(const Heat& heat, Tick now) override;
  void cool(double hours) override;

  // Temperatures and ages survive a power cycle.
  void persist_counters(Archive& archive) override;

 private:
  double rate() const;

  const double ambient_c_;
  const RetentionParameters retention_;
  const double configured_rate_;
  ThermalNetwork network_;
  Tick since_ = 0;   // time of the last sample
  double aged_ = 0;  // age at that time, in ticks at the configured temperature
  double rate_;      // age per tick since then
  double told_c_;    // temperature of which the listeners know
};

}  // namespace nandscape::nand
