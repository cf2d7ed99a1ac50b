// SPDX-License-Identifier: Apache-2.0
// Configuration group `controller.power_loss`.
#pragma once

#include "core/parameters.h"

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
// Throws ConfigError unless capacitor_v is above cut_off_v.
void check(const PowerLossParameters& p);

}  // namespace nandscape::controller
