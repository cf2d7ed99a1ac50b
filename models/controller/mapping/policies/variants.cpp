// SPDX-License-Identifier: Apache-2.0
// To add a policy, add its file to this folder, and its declaration and registration here.
#include "controller/mapping/allocation_policy.h"

namespace nandscape::controller {

void register_by_address(AllocationRegistry& registry);
void register_least_busy(AllocationRegistry& registry);

AllocationRegistry& allocation_registry() {
  static AllocationRegistry registry = [] {
    AllocationRegistry r("controller.mapping.plane");
    register_by_address(r);
    register_least_busy(r);
    return r;
  }();
  return registry;
}

}  // namespace nandscape::controller
