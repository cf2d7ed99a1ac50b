// SPDX-License-Identifier: Apache-2.0
#include "controller/power_loss/power_loss_counters.h"

namespace nandscape::controller {

namespace {

// Energy of a capacitor of C farads whose voltage falls from V1 to V2: E = C (V1^2 - V2^2) / 2.
double farads(double joules, const PowerLossFigures& f) {
  return 2 * joules / (f.capacitor_v * f.capacitor_v - f.cut_off_v * f.cut_off_v);
}

}  // namespace

void describe(const PowerLossFigures& c, StatisticsVisitor& v) {
  const double joules = 1e-9 * static_cast<double>(c.needed_nj);
  v.count("cuts", c.cuts, "losses of power");
  v.count("unsafe_shutdowns", c.unsafe_shutdowns, "of these, without notice to the drive");
  v.level("lost_acknowledged_writes", c.lost_writes,
          "mapping units whose latest acknowledged write was lost with the power");
  v.level("lost_acknowledged_sectors", c.lost_sectors, "sectors of these writes");
  v.level("lost_promised_sectors", c.lost_promised_sectors,
          "of these, sectors that should have survived according to Identify (VWC is 0)");
  v.amount("hold_up_us", us_from_ticks(c.hold_up), "us", "time in which a capacitor fed the drive, over all cuts");
  v.level("hold_up_needed_us", us_from_ticks(c.hold_up_needed), "us",
          "longest time after a cut to write all acknowledged data; if nothing fed the drive that long, the rest is "
          "estimated from the times of its pages");
  v.level("hold_up_needed_j", joules, "j", "the most energy that this took or would have taken");
  v.level("capacitor_needed_f", farads(joules, c), "f",
          "capacitance that holds this energy between capacitor_v and cut_off_v");
  v.level("hold_up_most_us", us_from_ticks(c.hold_up_most), "us",
          "longest time that the drive may need to save: if controller.power_loss.hold_up_ms is shorter, it promises "
          "nothing before a flush");
  v.amount("recovery_us", us_from_ticks(c.recovery), "us",
           "time from power-on until the drive was ready, over all cuts");
}

}  // namespace nandscape::controller
