// SPDX-License-Identifier: Apache-2.0
#include "controller/flash_ops/scheduler/variants.h"

namespace nandscape {

const SchedulingRegistry& scheduling_registry() {
  static const SchedulingRegistry registry = [] {
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

}  // namespace nandscape
