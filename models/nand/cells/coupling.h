// SPDX-License-Identifier: Apache-2.0
// The shift that a cell's neighbours couple into it (interference.h), as a distribution. Neighbours hold all states
// with equal probability.
//
// An adjustment raises cells again, and the raise couples into both neighbouring wordlines. The cells that the
// wordline's own adjustment moves are verified again, which compensates for all earlier coupling.
#pragma once

#include <span>
#include <vector>

#include "nand/cells/condition.h"
#include "nand/cells/interference.h"
#include "nand/cells/state_distribution.h"

namespace nandscape::nand {

struct NeighbourCoupling {
  // shifts by neighbours on the same bitline, plus the mean shift by the others
  std::vector<StateDistribution::Coupling> shifts;
  double gaussian = 0;  // standard deviation about these shifts, in mV
};

// The coupling into a cell at that place. `rises`: rise of each place above the erased one. `step`: the ISPP step.
NeighbourCoupling neighbour_coupling(const InterferenceParameters& interference, std::span<const double> rises,
                                     double erased_sigma_mv, double step, std::uint32_t place,
                                     const Adjustments& adjusted);

}  // namespace nandscape::nand
