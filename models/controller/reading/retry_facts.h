// SPDX-License-Identifier: Apache-2.0
// What the controller knows of read-retries: the retry table of the flash, and how its steps depend on the place.
#pragma once

#include <cstdint>
#include <memory>

#include "controller/mapping/block_age.h"

namespace nandscape::controller {

class ReadTimingTable;

struct RetryFacts {
  std::uint32_t steps = 0;                          // in the flash's retry table
  std::uint32_t layers = 1;                         // layers over which a block's wordlines are spread
  bool first_layer_by_block = false;                // the layer of a block's first page depends on the block
  LayerSteps step_of_layers{};                      // set if reads before the simulation are remembered
  std::shared_ptr<const ReadTimingTable> timing{};  // for read-retry policies that adapt the timing
};

}  // namespace nandscape::controller
