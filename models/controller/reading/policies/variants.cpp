// SPDX-License-Identifier: Apache-2.0
// A new policy adds its file to this folder, and its declaration and registration here.
#include "controller/reading/read_recovery.h"

namespace nandscape::controller {

void register_no_recovery(ReadRecoveryRegistry& registry);
void register_regular(ReadRecoveryRegistry& registry);
void register_soft(ReadRecoveryRegistry& registry);
void register_recovery_flow(ReadRecoveryRegistry& registry);

ReadRecoveryRegistry& read_recovery_registry() {
  static ReadRecoveryRegistry registry = [] {
    ReadRecoveryRegistry r("controller.read_retry");
    register_no_recovery(r);
    register_regular(r);
    register_soft(r);
    register_recovery_flow(r);
    return r;
  }();
  return registry;
}

}  // namespace nandscape::controller
