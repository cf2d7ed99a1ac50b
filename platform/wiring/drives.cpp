// SPDX-License-Identifier: Apache-2.0
#include "platform/blocks/drive.h"
#include "platform/wiring/ssd.h"

namespace nandscape {

Drives& drives() {
  static Drives known("drives", [](Drives& r) {
    r.add<Ssd>("built_in", "the controller, engines, channels and dies of the configuration");
  });
  return known;
}

}  // namespace nandscape
