// SPDX-License-Identifier: Apache-2.0
// What the neighbours of a cell couple into it (interference.h), as a distribution. Neighbours hold all states alike.
//
// An adjustment raises cells once more, and with them the cells of both neighbouring wordlines. Those of the adjusted
// wordline that it moves are verified then: what had been coupled into them before is made up for.
#pragma once

#include <span>
#include <vector>

#include "nand/cells/condition.h"
#include "nand/cells/interference.h"
#include "nand/cells/state_distribution.h"

namespace nandscape::nand {

struct NeighbourCoupling {
  std::vector<StateDistribution::Coupling> shifts;  // of the neighbours on the same bitline, and the mean of the others
  double gaussian = 0;                              // the rest, in mV
};

// Into a cell in that place. `rises` of each place over the erased one, at the ISPP step `step`.
NeighbourCoupling neighbour_coupling(const InterferenceParameters& interference, std::span<const double> rises,
                                     double erased_sigma_mv, double step, std::uint32_t place,
                                     const Adjustments& adjusted);

}  // namespace nandscape::nand
