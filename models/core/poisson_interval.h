// SPDX-License-Identifier: Apache-2.0
// Confidence interval of the expected number of rare, independent events, given an observed number: the exact interval
// of Garwood, "Fiducial Limits for the Poisson Distribution" (Biometrika 28, 1936).
#pragma once

#include <cstdint>

namespace nandscape {

struct PoissonInterval {
  double low = 0;
  double high = 0;
};

// The two-sided 95 % interval of the expected number. If the mean is the lower end, the probability of `events` or more
// events is 2.5 %; if the mean is the upper end, the probability of `events` or fewer is 2.5 %. With no events, the
// interval is 0 to 3.69.
PoissonInterval poisson_interval(std::uint64_t events);

}  // namespace nandscape
