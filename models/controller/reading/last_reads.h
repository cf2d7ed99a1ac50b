// SPDX-License-Identifier: Apache-2.0
// The drive's memory of reads before the simulation, when its data were younger.
#pragma once

#include "controller/mapping/block_age.h"
#include "controller/mapping/block_ages.h"
#include "controller/mapping/block_table.h"
#include "controller/reading/recent_steps.h"

namespace nandscape::controller {

// Fills `recent` as if each block of the initial fill had last been read at `age_share` of its data's age.
// `step_of_layers` returns the step of the retry table at which such a read succeeded.
void remember_last_reads(RecentSteps& recent, double age_share, const LayerSteps& step_of_layers,
                         const BlockTable& blocks, const BlockAges& ages);

}  // namespace nandscape::controller
