// SPDX-License-Identifier: Apache-2.0
// Makes the table of write speeds for cells of any coding (controller/content/wordline_speed_table.h) from the cells of
// a device: how often each state is misread when data have been kept for a while, at the levels at which reads end. For
// cells whose reads are tracked those are the tracked ones, else the default ones.
#pragma once

#include <span>

#include "controller/content/wordline_speed_table.h"
#include "nand/parameters.h"
#include "platform/config/content_tables.h"

namespace nandscape {

controller::WordlineSpeedTable wordline_speeds(const nand::NandParameters& parameters, const KeptData& kept,
                                               std::span<const double> steps_mv, double correctable_ber);

// The largest step, up to `largest_mv`, with which content of all states alike is correctable; the device's own if none
// is.
double largest_step_mv(const nand::NandParameters& parameters, const KeptData& kept, double largest_mv,
                       double correctable_ber);

}  // namespace nandscape
