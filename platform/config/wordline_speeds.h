// SPDX-License-Identifier: Apache-2.0
// Computes the write-speed table for cells of any coding (controller/content/wordline_speed_table.h) from the cells of
// a device: It determines how often each state is misread after given wear and retention.
#pragma once

#include <span>
#include <vector>

#include "controller/content/wordline_speed_table.h"
#include "nand/cell_models/cell_device.h"

namespace nandscape {

// The wear and the retention time after which data must still be readable: 15,000 cycles and a year at 30 C in [Sha].
struct KeptData {
  double pe_cycles = 15000;
  double months = 12;
};

// The read levels in the last read of a page, which must succeed. `plain` stands for the levels of the flash's own
// retry table, and `tracked` for the tracked levels of cells that support tracking.
enum class FinalRead { plain, tracked };

// For each state, the share of its cells that are read as a lower state (`left`) and as a higher state (`right`).
struct StateMisreads {
  std::vector<double> left;
  std::vector<double> right;
};
StateMisreads state_misreads(const nand::CellDevice& device, const nand::CellCondition& kept, FinalRead read,
                             double step_mv);

controller::WordlineSpeedTable wordline_speeds(const nand::CellDevice& device, const nand::CellCondition& kept,
                                               FinalRead read, std::span<const double> steps_mv,
                                               double correctable_ber);
// Does the same for tracked reads, with the cells that `parameters` describe.
controller::WordlineSpeedTable wordline_speeds(const nand::NandParameters& parameters, const KeptData& kept,
                                               std::span<const double> steps_mv, double correctable_ber);

// Returns the largest step, up to `largest_mv`, with which data are still correctable if all states are equally
// frequent. Returns the device's own step if there is no such step.
double largest_step_mv(const nand::NandParameters& parameters, const KeptData& kept, double largest_mv,
                       double correctable_ber);

}  // namespace nandscape
