// SPDX-License-Identifier: Apache-2.0
// Configuration group `simulation.blocks`: the blocks of the platform. An external block must be registered before the
// configuration is read (platform/blocks/block.h).
#pragma once

#include "core/parameters.h"
#include "platform/blocks/waves.h"

namespace nandscape {

// The choice of one block by its registered name. Parameters of the block itself are keys beside `kind`.
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
  WavesParameters waves;  // the group `simulation.waves`
};
void describe(BlockChoices& p, ParameterVisitor& v);

}  // namespace nandscape
