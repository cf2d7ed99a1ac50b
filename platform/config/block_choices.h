// SPDX-License-Identifier: Apache-2.0
// Configuration group `simulation.blocks`: which blocks the platform is made of. One from outside is registered before
// the configuration is read (platform/blocks/block.h).
#pragma once

#include <cstddef>

#include "core/parameters.h"
#include "platform/blocks/waves.h"

namespace nandscape {

// Of one block; its own parameters stand beside `kind`.
struct BlockChoice {
  VariantChoice kind{"built_in", nullptr};
};

struct BlockChoices {
  BlockChoice host;
  BlockChoice front_end;
  BlockChoice drive;
  BlockChoice ecc_engine;
  BlockChoice channel;
  BlockChoice die;
  double watchdog_us = 50e3;
  WavesParameters waves;  // of the blocks; the group `simulation.waves`
};
void describe(BlockChoices& p, ParameterVisitor& v);

// How many kinds of blocks there are to choose from, which grows as blocks are registered.
std::size_t registered_blocks();

}  // namespace nandscape
