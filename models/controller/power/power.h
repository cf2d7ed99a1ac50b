// SPDX-License-Identifier: Apache-2.0
// Configuration group `controller.power`: the power that the controller draws whether it works or not, the power of its
// processor cores while they work, the losses of the regulators between the supply and all parts of the drive, and the
// limits that the drive keeps. The defaults are 0 mW, no losses and no limits, so that only work takes energy and
// nothing waits for power.
#pragma once

#include "core/parameters.h"

namespace nandscape::controller {

// Configuration group `controller.power.throttle`: the two levels at which a hot drive works less, as the thermal
// management temperatures TMT1 and TMT2 of NVM Express. A temperature of 0 means that the level is not used.
struct ThrottleParameters {
  double light_c = 0;
  double heavy_c = 0;
  double light_percent = 50;
  double heavy_percent = 10;
  double hysteresis_c = 3;

  bool used() const { return light_c != 0 || heavy_c != 0; }
};

struct PowerParameters {
  double static_mw = 0;
  double core_mw = 0;
  double regulator_percent = 100;
  double cap_w = 0;
  double window_ms = 10;
  bool sampled = false;
  ThrottleParameters throttle;

  bool capped() const { return cap_w != 0; }
  // Whether operations of the flash may have to wait for power.
  bool limits() const { return capped() || throttle.used(); }
};
void describe(PowerParameters& p, ParameterVisitor& v);

}  // namespace nandscape::controller
