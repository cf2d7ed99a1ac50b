// SPDX-License-Identifier: Apache-2.0
#include "controller/power_loss/parameters.h"

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

void check(const PowerLossParameters& p) {
  if (p.cut_off_v < p.capacitor_v) return;
  throw ConfigError({}, "controller.power_loss.cut_off_v",
                    "must be below capacitor_v (" + std::to_string(p.capacitor_v) +
                        "): the capacitor feeds the drive while its voltage falls from capacitor_v to cut_off_v");
}

}  // namespace nandscape::controller
