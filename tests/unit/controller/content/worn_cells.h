// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "controller/content/cdber.h"
#include "core/random.h"

namespace nandscape::controller {

// Returns the error rates that follow from Table III of Sha et al. for the default step, multiplied by `times`. The
// order is that of section IV-C.
inline StateErrorRates worn_cells(double times = 1) {
  StateErrorRates rates;
  rates.left = {{0, 2.0e-5 * times, 4.76e-4 * times, 5.51e-4 * times}};
  rates.right = {{1.1e-4 * times, 8.9e-5 * times, 2.4e-5 * times, 0}};
  return rates;
}

// Returns random shares of the cell states. Some of the shares are extreme.
inline StateShares random_shares(RandomStream& random) {
  StateShares shares;
  for (double& share : shares.of) share = std::max(0.0, random.uniform() - 0.3);
  shares.of[random.below(cell_states)] += 0.01 + random.uniform();
  const double total = shares.total();
  for (double& share : shares.of) share /= total;
  return shares;
}

}  // namespace nandscape::controller
