// SPDX-License-Identifier: Apache-2.0
// A cell model determines how accurately the cells of the dies are simulated (`simulation.cells`).
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

  // If this function returns false, dies have no cells, and the configuration of cells and their condition has no
  // effect.
  virtual bool has_errors() const { return true; }
  // Returns true if misreads depend on the stored data. The data must then look random, as they do if they are
  // scrambled.
  virtual bool reads_content() const { return false; }
  // Returns true if the model divides the cells of a page among the threads of the simulation.
  virtual bool uses_threads() const { return false; }

  // Makes the cells of one die. Returns null if the model has no errors. The device must outlive the cells. If `ages`
  // is null, all data that the die contains at the start have the age of the device's initial condition.
  virtual std::unique_ptr<CellArray> make_cells(const CellDevice& device, std::uint64_t seed, std::string_view die,
                                                std::unique_ptr<InitialAges> ages) const = 0;
};

using CellModelRegistry = Registry<CellModel>;
CellModelRegistry& cell_model_registry();

}  // namespace nandscape::nand
