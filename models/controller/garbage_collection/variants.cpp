// SPDX-License-Identifier: Apache-2.0
#include "controller/garbage_collection/variants.h"

namespace nandscape {

const VictimRegistry& victim_registry() {
  static const VictimRegistry registry = [] {
    VictimRegistry r("controller.garbage_collection");
    register_greedy(r);
    return r;
  }();
  return registry;
}

}  // namespace nandscape
