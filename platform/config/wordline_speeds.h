// SPDX-License-Identifier: Apache-2.0
// Computes the write-speed table for cells of any coding (controller/content/wordline_speed_table.h) from the cells of
// a device: how often each state is misread after given wear and retention.
#pragma once

#include <span>
#include <vector>

#include "controller/content/wordline_speed_table.h"
#include "nand/cell_models/cell_device.h"

namespace nandscape {

// The wear and retention that data must survive: 15,000 cycles and a year at 30 C in [Sha].
struct KeptData {
  double pe_cycles = 15000;
  double months = 12;
};

// The read levels in the last read of a page: `plain` for the levels of the flash's own table, `tracked` for the
// tracked levels of cells that support them.
enum class FinalRead { plain, tracked };

// For each state, the shares of its cells that are read as a lower and as a higher state.
struct StateMisreads {
  std::vector<double> left;
  std::vector<double> right;
};
StateMisreads state_misreads(const nand::CellDevice& device, const nand::CellCondition& kept, FinalRead read,
                             double step_mv);

controller::WordlineSpeedTable wordline_speeds(const nand::CellDevice& device, const nand::CellCondition& kept,
                                               FinalRead read, std::span<const double> steps_mv,
                                               double correctable_ber);
// The same for tracked reads, with the cells of these parameters.
controller::WordlineSpeedTable wordline_speeds(const nand::NandParameters& parameters, const KeptData& kept,
                                               std::span<const double> steps_mv, double correctable_ber);

// The largest step, up to `largest_mv`, at which data with equally frequent states are correctable; the device's own
// step if there is none.
double largest_step_mv(const nand::NandParameters& parameters, const KeptData& kept, double largest_mv,
                       double correctable_ber);

}  // namespace nandscape
