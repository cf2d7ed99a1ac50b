// SPDX-License-Identifier: Apache-2.0
// To add a policy, add its file to this folder, and its declaration and registration here.
#include "controller/migration/garbage_collection/victim_policy.h"

namespace nandscape::controller {

void register_greedy(VictimRegistry& registry);
void register_d_choices(VictimRegistry& registry);
void register_random(VictimRegistry& registry);
void register_fifo(VictimRegistry& registry);
void register_cost_benefit(VictimRegistry& registry);

VictimRegistry& victim_registry() {
  static VictimRegistry registry = [] {
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

}  // namespace nandscape::controller
