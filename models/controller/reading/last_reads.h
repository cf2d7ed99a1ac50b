// SPDX-License-Identifier: Apache-2.0
// What a drive remembers from before the simulation: its data were read last when they were younger than they are now.
#pragma once

#include "controller/mapping/block_age.h"
#include "controller/mapping/block_ages.h"
#include "controller/mapping/block_table.h"
#include "controller/reading/recent_steps.h"

namespace nandscape::controller {

// Each block of the initial fill was read when its data had that share of their age. `step_of_layers` says at which
// step of the retry table that succeeded.
void remember_last_reads(RecentSteps& recent, double age_share, const LayerSteps& step_of_layers,
                         const BlockTable& blocks, const BlockAges& ages);

}  // namespace nandscape::controller
