// SPDX-License-Identifier: Apache-2.0
// A new policy adds its file to this folder, and its declaration and registration here.
#include "controller/flash_ops/scheduler/scheduling_policy.h"

namespace nandscape::controller {

void register_fifo(SchedulingRegistry& registry);
void register_flin(SchedulingRegistry& registry);
void register_out_of_order(SchedulingRegistry& registry);
void register_priority(SchedulingRegistry& registry);
void register_read_first(SchedulingRegistry& registry);

SchedulingRegistry& scheduling_registry() {
  static SchedulingRegistry registry = [] {
    SchedulingRegistry r("controller.scheduler");
    register_fifo(r);
    register_out_of_order(r);
    register_read_first(r);
    register_priority(r);
    register_flin(r);
    return r;
  }();
  return registry;
}

}  // namespace nandscape::controller
