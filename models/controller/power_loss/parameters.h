// SPDX-License-Identifier: Apache-2.0
// Configuration group `controller.power_loss`.
#pragma once

#include "core/parameters.h"

namespace nandscape::controller {

enum class PowerLossProtection { capacitor, none };

struct PowerLossParameters {
  PowerLossProtection protection = PowerLossProtection::capacitor;
  double hold_up_ms = 50;
  bool mapping_checkpoints = true;
};
void describe(PowerLossParameters& p, ParameterVisitor& v);

}  // namespace nandscape::controller
