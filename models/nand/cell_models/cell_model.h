// SPDX-License-Identifier: Apache-2.0
// How closely the cells of the dies are modelled (`simulation.cells`). Variants: ideal, statistical, per_cell.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "core/registry.h"
#include "nand/cell_array.h"
#include "nand/cell_models/block_histories.h"
#include "nand/cell_models/cell_device.h"

namespace nandscape::nand {

class CellModel {
 public:
  virtual ~CellModel() = default;

  // Without errors there is nothing to model: dies get no cells, and what a configuration says of cells and their
  // condition does nothing.
  virtual bool has_errors() const { return true; }
  // Cells misread by what they hold: it has to look random, as scramblers make it.
  virtual bool reads_content() const { return false; }

  // The cells of one die; null without errors. The device must outlive them. Without `ages` all that the die holds at
  // the start is of the device's first age.
  virtual std::unique_ptr<CellArray> make_cells(const CellDevice& device, std::uint64_t seed, std::string_view die,
                                                std::unique_ptr<InitialAges> ages) const = 0;
};

using CellModelRegistry = Registry<CellModel>;
const CellModelRegistry& cell_model_registry();

}  // namespace nandscape::nand
