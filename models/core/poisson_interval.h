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

// The two-sided 95 % interval of the expected number. With its lower end as the mean, at least `events` events have a
// probability of 2.5 %; with its upper end, at most `events` have it. Without any event it is 0 to 3.69.
PoissonInterval poisson_interval(std::uint64_t events);

}  // namespace nandscape
