// SPDX-License-Identifier: Apache-2.0
// What each part of the drive draws, and what the cap of its power, `controller.power.cap_w`, leaves for the flash.
//
//   supply x efficiency of the regulators = static power + other parts at full load + flash
//
// The other parts are the link, the DRAM and the processor cores. Their power is not controlled, so the cap reserves
// for them what they draw at full load. An operation of the flash takes its energy in the array, on the bus and in the
// ECC engine, divided by its array time.
#pragma once

#include "controller/power/power_control.h"
#include "platform/config/parameters.h"

namespace nandscape {

// The power that the drive draws whether it works or not.
struct StaticPower {
  double controller_mw = 0;  // controller, DRAM and link
  double dies_mw = 0;
};
StaticPower static_power_of(const PlatformParameters& parameters);

struct PowerPlan {
  double static_mw = 0;
  double others_mw = 0;
  double largest_operation_mw = 0;  // the most that one operation of a die draws
  controller::FlashPower flash;
};

PowerPlan power_plan_of(const PlatformParameters& parameters);

// Throws ConfigError if the cap leaves less than one operation needs, or if heavy throttling begins before light.
void check_power(const PlatformParameters& parameters);

}  // namespace nandscape
