// SPDX-License-Identifier: Apache-2.0
// To add a write mode, add its file to this folder, and its declaration and registration here.
#include "controller/writing/write_mode.h"

namespace nandscape::controller {

void register_normal_writes(WriteModeRegistry& registry);
void register_content_dependent_writes(WriteModeRegistry& registry);
void register_relaxed_writes(WriteModeRegistry& registry);
void register_relaxed_content_writes(WriteModeRegistry& registry);

const WriteModeRegistry& write_mode_registry() {
  static const WriteModeRegistry registry = [] {
    WriteModeRegistry r("controller.write_mode");
    register_normal_writes(r);
    register_content_dependent_writes(r);
    register_relaxed_writes(r);
    register_relaxed_content_writes(r);
    return r;
  }();
  return registry;
}

}  // namespace nandscape::controller
