// SPDX-License-Identifier: Apache-2.0
#include "nand/cell_fidelity.h"

#include "nand/per_cell_cells.h"
#include "nand/statistical_cells.h"

namespace nandscape {

std::unique_ptr<CellArray> make_cells(CellFidelity fidelity, const CellDevice& device, std::uint64_t seed,
                                      std::string_view die) {
  switch (fidelity) {
    case CellFidelity::ideal: return nullptr;
    case CellFidelity::statistical: return std::make_unique<StatisticalCells>(device, seed, die);
    case CellFidelity::per_cell: return std::make_unique<PerCellCells>(device, seed, die);
  }
  return nullptr;
}

}  // namespace nandscape
