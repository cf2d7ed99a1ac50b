// SPDX-License-Identifier: Apache-2.0
#include "controller/migration/garbage_collection/variants.h"

namespace nandscape {

const VictimRegistry& victim_registry() {
  static const VictimRegistry registry = [] {
    VictimRegistry r("controller.garbage_collection");
    register_greedy(r);
    register_d_choices(r);
    register_random(r);
    register_fifo(r);
    register_cost_benefit(r);
    return r;
  }();
  return registry;
}

}  // namespace nandscape
