// SPDX-License-Identifier: Apache-2.0
// Computes the distribution of the voltage shift that a cell's neighbours cause by capacitive coupling (see
// interference.h). Each neighbour is in any of the states with equal probability.
//
// An adjustment raises the cells of a wordline a second time, and this raise couples into both neighbouring wordlines.
// Cells that are moved by an adjustment of their own wordline are verified again, which compensates for all earlier
// coupling.
#pragma once

#include <span>
#include <vector>

#include "nand/cells/condition.h"
#include "nand/cells/interference.h"
#include "nand/cells/state_distribution.h"

namespace nandscape::nand {

struct NeighbourCoupling {
  // shifts by the neighbours on the same bitline, plus the mean shift by all other neighbours
  std::vector<StateDistribution::Coupling> shifts;
  double gaussian = 0;  // standard deviation of the shift around these values, in mV
};

// Returns the distribution of the shift of a cell at `place`. `rises` contains the voltage rise from the erased state
// to each place. `step` is the ISPP step.
NeighbourCoupling neighbour_coupling(const InterferenceParameters& interference, std::span<const double> rises,
                                     double erased_sigma_mv, double step, std::uint32_t place,
                                     const Adjustments& adjusted);

}  // namespace nandscape::nand
