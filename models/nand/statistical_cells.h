// SPDX-License-Identifier: Apache-2.0
// Cells in closed form (`simulation.cells: statistical`): the number of misread bits of a read is drawn from the
// probability that the model gives for the wordline's condition.
#pragma once

#include "nand/ageing_cells.h"

namespace nandscape {

class StatisticalCells final : public AgeingCells {
 public:
  // The device must outlive it.
  StatisticalCells(const CellDevice& device, std::uint64_t seed, std::string_view die)
      : AgeingCells(device, seed, die) {}

 private:
  SenseResult sense_cells(const SenseOrder& order, const MisreadTables::Read& read,
                          std::uint32_t inherited_errors) override;
};

}  // namespace nandscape
