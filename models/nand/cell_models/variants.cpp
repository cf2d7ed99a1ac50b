// SPDX-License-Identifier: Apache-2.0
#include "nand/cell_models/cell_model.h"

namespace nandscape::nand {

// To add a cell model, add its source file, and declare and call its registration function here.
void register_ideal(CellModelRegistry& registry);
void register_statistical(CellModelRegistry& registry);
void register_per_cell(CellModelRegistry& registry);

CellModelRegistry& cell_model_registry() {
  static CellModelRegistry registry("simulation.cells", [](CellModelRegistry& r) {
    for (const auto add : {register_ideal, register_statistical, register_per_cell}) add(r);
  });
  return registry;
}

}  // namespace nandscape::nand
