// SPDX-License-Identifier: Apache-2.0
// How closely the cells of a die are modelled.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "nand/cell_array.h"
#include "nand/cell_models/block_histories.h"
#include "nand/cell_models/cell_device.h"

namespace nandscape {

enum class CellFidelity {
  ideal,        // no errors
  statistical,  // error counts drawn from closed-form probabilities
  per_cell,     // every cell programmed and sensed
};

// The cells of one die, or null for ideal ones. The device must outlive them. Without `ages` all that the die holds at
// the start is of the device's first age.
std::unique_ptr<CellArray> make_cells(CellFidelity fidelity, const CellDevice& device, std::uint64_t seed,
                                      std::string_view die, std::unique_ptr<InitialAges> ages = nullptr);

}  // namespace nandscape
