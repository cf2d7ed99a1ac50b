// SPDX-License-Identifier: Apache-2.0
// Confidence interval for the expected number of rare, independent events when a certain number of them has been
// observed. This is the exact interval of Garwood, "Fiducial Limits for the Poisson Distribution" (Biometrika 28,
// 1936).
#pragma once

#include <cstdint>

namespace nandscape {

struct PoissonInterval {
  double low = 0;
  double high = 0;
};

// Returns the two-sided 95 % confidence interval of the expected number, given that `events` events were observed. If
// the lower end is the true mean, `events` or more events have a probability of 2.5 %. If the upper end is the true
// mean, `events` or fewer events have a probability of 2.5 %. Without any events the interval is 0 to 3.69.
PoissonInterval poisson_interval(std::uint64_t events);

}  // namespace nandscape
