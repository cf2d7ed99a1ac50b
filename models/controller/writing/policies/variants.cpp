// SPDX-License-Identifier: Apache-2.0
// To add a write mode, add its file to this folder, and its declaration and registration here.
#include "controller/writing/write_mode.h"

namespace nandscape::controller {

void register_built_in_mode(WriteModeRegistry& registry);

WriteModeRegistry& write_mode_registry() {
  static WriteModeRegistry registry = [] {
    WriteModeRegistry r("controller.write_mode");
    register_built_in_mode(r);
    return r;
  }();
  return registry;
}

}  // namespace nandscape::controller
