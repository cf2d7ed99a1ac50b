// SPDX-License-Identifier: Apache-2.0
#include "controller/power_loss/parameters.h"

namespace nandscape::controller {

void describe(PowerLossParameters& p, ParameterVisitor& v) {
  v.unread_if(p.protection == PowerLossProtection::none, {"hold_up_ms"}, "protection is none");
  v.choice("protection", p.protection,
           {{"capacitor", "what the host was answered for survives a power cut"},
            {"none", "only what was flushed or written with forced access survives; wordlines are filled up for that"}},
           "what happens to writes that are under way when the power fails");
  v.real("hold_up_ms", p.hold_up_ms, {0, 10'000}, "ms",
         "how long a capacitor feeds the drive, which writes meanwhile what is not yet in the cells");
  v.boolean(
      "mapping_checkpoints", p.mapping_checkpoints,
      "the drive writes its mapping to flash when it is shut down, and after it has read many tags, so that after "
      "a loss of power only the tags of what was written since have to be read; off, or with "
      "garbage_collection.copyback, which leaves pages with the tags of other blocks: those of all pages");
}

}  // namespace nandscape::controller
