// SPDX-License-Identifier: Apache-2.0
// Calculates the long-run state of greedy garbage collection when the host writes pages at uniformly random addresses.
// A simulated device can start from this state.
//
// The utilisation is the number of valid pages divided by the number of pages, counted over the full blocks. It is
// somewhat higher than 1 / (1 + over_provisioning), because free and open blocks do not count.
#pragma once

#include <cstdint>
#include <vector>

namespace nandscape::controller {

// The state of a plane in equilibrium, for a large number of blocks.
struct CollectionEquilibrium {
  double moved_pages = 0;          // mean number of valid pages in a victim
  double write_amplification = 1;  // pages programmed divided by pages written by the host
  std::vector<double> blocks;      // shares of full blocks with 0 to pages_per_block valid pages
};

// Returns the equilibrium if each victim is the block with the fewest valid pages [Bux, Iliadis, Performance Evaluation
// 2010]. The utilisation must be between 0 and 1.
CollectionEquilibrium greedy_equilibrium(double utilisation, std::uint32_t pages_per_block);

}  // namespace nandscape::controller
