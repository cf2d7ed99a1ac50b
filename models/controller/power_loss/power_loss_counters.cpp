// SPDX-License-Identifier: Apache-2.0
#include "controller/power_loss/power_loss_counters.h"

namespace nandscape::controller {

void describe(const PowerLossCounters& c, StatisticsVisitor& v) {
  v.count("cuts", c.cuts, "times that the power went");
  v.count("unsafe_shutdowns", c.unsafe_shutdowns, "of these, without notice to the drive");
  v.amount("hold_up_us", us_from_ticks(c.hold_up), "us", "time in which a capacitor fed the drive, over all cuts");
  v.amount("recovery_us", us_from_ticks(c.recovery), "us",
           "time from power-on until the drive was ready, over all cuts");
}

}  // namespace nandscape::controller
