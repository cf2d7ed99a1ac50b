// SPDX-License-Identifier: Apache-2.0
#include "nand/cell_models/cell_fidelity.h"

#include <utility>

#include "nand/cell_models/per_cell_cells.h"
#include "nand/cell_models/statistical_cells.h"

namespace nandscape {

std::unique_ptr<CellArray> make_cells(CellFidelity fidelity, const CellDevice& device, std::uint64_t seed,
                                      std::string_view die, std::unique_ptr<InitialAges> ages) {
  switch (fidelity) {
    case CellFidelity::ideal: return nullptr;
    case CellFidelity::statistical: return std::make_unique<StatisticalCells>(device, seed, die, std::move(ages));
    case CellFidelity::per_cell: return std::make_unique<PerCellCells>(device, seed, die, std::move(ages));
  }
  return nullptr;
}

}  // namespace nandscape
