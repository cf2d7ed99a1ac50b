// SPDX-License-Identifier: Apache-2.0
// Configuration group `controller.power`: the power that the controller draws whether it works or not, the power of its
// processor cores while they work, and the losses of the regulators between the supply and all parts of the drive. The
// defaults are 0 mW and no losses, so that only work takes energy.
#pragma once

#include "core/parameters.h"

namespace nandscape::controller {

struct PowerParameters {
  double static_mw = 0;
  double core_mw = 0;
  double regulator_percent = 100;
};

inline void describe(PowerParameters& p, ParameterVisitor& v) {
  v.real("static_mw", p.static_mw, {0, 100000}, "mw",
         "power of the controller at all times: leakage, clocks, memories");
  v.real("core_mw", p.core_mw, {0, 100000}, "mw", "power of a processor core while it works, in addition");
  v.real("regulator_percent", p.regulator_percent, {1, 100}, "percent",
         "share of the energy from the supply that reaches the parts of the drive");
}

}  // namespace nandscape::controller
