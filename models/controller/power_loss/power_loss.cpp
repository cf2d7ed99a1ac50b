// SPDX-License-Identifier: Apache-2.0
#include "controller/power_loss/power_loss.h"

#include "core/error.h"

namespace nandscape::controller {

void describe(PowerLossParameters& p, ParameterVisitor& v) {
  v.choice(
      "protection", p.protection,
      {{"capacitor", "acknowledged writes survive a power cut if hold_up_ms is long enough"},
       {"none", "only data that were flushed or written with forced access survive; wordlines are padded for that"}},
      "which writes survive a loss of power");
  v.real("hold_up_ms", p.hold_up_ms, {0, 10'000}, "ms",
         "how long a capacitor feeds the drive while it writes data that are not yet in the cells; with less than the "
         "drive may need (hold_up_most_us in the statistics), writes are durable only after a flush");
  v.real("capacitor_v", p.capacitor_v, {0.1, 1000}, "v", "voltage that the capacitor is charged to");
  v.real("cut_off_v", p.cut_off_v, {0, 1000}, "v", "voltage of the capacitor below which the drive is off");
  v.real("hold_up_w", p.hold_up_w, {0, 1000}, "w",
         "power that the drive draws from the capacitor in addition to the work of its flash, buses and ECC engines: "
         "controller, DRAM and losses of the converter");
  v.boolean("mapping_checkpoints", p.mapping_checkpoints,
            "the drive writes its mapping to flash at shutdown, and after it has read many tags, so that after a loss "
            "of power it has to read only the tags of pages written since. It reads the tags of all pages if this is "
            "off, or with garbage_collection.copyback, which leaves pages with the tags of other blocks");
}

namespace {

// Returns the capacitance, in farads, of a capacitor that yields the energy `joules`. A capacitance C yields the energy
// E = C (V1^2 - V2^2) / 2 when its voltage falls from V1 to V2.
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
