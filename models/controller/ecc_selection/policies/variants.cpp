// SPDX-License-Identifier: Apache-2.0
// A new policy adds its file to this folder, and its declaration and registration here.
#include "controller/ecc_selection/ecc_selection.h"

namespace nandscape::controller {

void register_uniform(EccSelectionRegistry& registry);
void register_by_source(EccSelectionRegistry& registry);
void register_cdber(EccSelectionRegistry& registry);

EccSelectionRegistry& ecc_selection_registry() {
  static EccSelectionRegistry registry = [] {
    EccSelectionRegistry r("ecc.selection");
    for (const auto add : {register_uniform, register_by_source, register_cdber}) add(r);
    return r;
  }();
  return registry;
}

}  // namespace nandscape::controller
