// SPDX-License-Identifier: Apache-2.0
// At which step of the retry table pages of a block can be read, from the same closed forms that the statistical cells
// draw from.
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

  // By layer: the first step at which each page of its median wordline is more likely decoded than not; none where
  // there is no such step.
  std::vector<std::optional<std::uint8_t>> operator()(const controller::BlockAge& block) const;

 private:
  nand::CellDevice device_;
  double correctable_rber_;  // by half of the pages
};

// The same for the controller.
controller::LayerSteps readable_steps(const FlashDeviceParameters& parameters);

}  // namespace nandscape
