// SPDX-License-Identifier: Apache-2.0
// What a number of rare, independent events tells of the number to be expected: the exact interval of Garwood,
// "Fiducial Limits for the Poisson Distribution" (Biometrika 28, 1936).
#pragma once

#include <cstdint>

namespace nandscape {

struct PoissonInterval {
  double low = 0;
  double high = 0;
};

// The 95 % interval of the expected number, two-sided: so many events or more have a probability of 2.5 % at its lower
// end, so many or fewer at its upper end. Of no event, it reaches from 0 to 3.69.
PoissonInterval poisson_interval(std::uint64_t events);

}  // namespace nandscape
