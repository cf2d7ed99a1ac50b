// SPDX-License-Identifier: Apache-2.0
// Determines at which step of the retry table pages of a block can be read, using the same closed forms as the
// statistical cells.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "controller/mapping/block_age.h"
#include "nand/cell_models/cell_device.h"
#include "platform/config/flash_device_parameters.h"

namespace nandscape {

class ReadableSteps {
 public:
  explicit ReadableSteps(const FlashDeviceParameters& parameters);

  // Returns, for each layer, the first retry step at which each page of the layer's median wordline is decoded with a
  // probability of at least 1/2. The entry has no value if there is no such step.
  std::vector<std::optional<std::uint8_t>> operator()(const controller::BlockAge& block) const;

 private:
  nand::CellDevice device_;
  double correctable_rber_;  // raw bit error rate at which half of the pages are decoded
};

// Returns a ReadableSteps in the form of a function that the controller calls.
controller::LayerSteps readable_steps(const FlashDeviceParameters& parameters);

}  // namespace nandscape
