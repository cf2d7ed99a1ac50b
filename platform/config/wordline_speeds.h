// SPDX-License-Identifier: Apache-2.0
// Computes the write-speed table for cells of any coding (controller/content/wordline_speed_table.h) from the cells of
// a device: how often each state is misread after retention, at the levels of the final read. These are the tracked
// levels for cells with tracked reads, else the default levels.
#pragma once

#include <span>

#include "controller/content/wordline_speed_table.h"
#include "nand/parameters.h"
#include "platform/config/content_tables.h"

namespace nandscape {

controller::WordlineSpeedTable wordline_speeds(const nand::NandParameters& parameters, const KeptData& kept,
                                               std::span<const double> steps_mv, double correctable_ber);

// The largest step, up to `largest_mv`, with which content with equally frequent states is correctable; the device's
// own step if there is none.
double largest_step_mv(const nand::NandParameters& parameters, const KeptData& kept, double largest_mv,
                       double correctable_ber);

}  // namespace nandscape
