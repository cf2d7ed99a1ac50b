// SPDX-License-Identifier: Apache-2.0
// What greedy garbage collection comes to in the long run when the host writes pages at random, all with equal chance:
// the state to start a device from.
//
// The utilisation is the share of valid pages among the pages of the full blocks. Blocks that are free or open are not
// among them, so it is somewhat higher than 1 / (1 + over_provisioning).
#pragma once

#include <cstdint>
#include <vector>

namespace nandscape::controller {

// A plane with very many blocks, in balance.
struct CollectionEquilibrium {
  double moved_pages = 0;          // of a victim, on average
  double write_amplification = 1;  // pages programmed over pages the host wrote
  std::vector<double> blocks;      // share of the full blocks by their number of valid pages, 0 to pages_per_block
};

// The victim has the fewest valid pages of all [Bux, Iliadis, Performance Evaluation 2010]. The utilisation lies
// between 0 and 1.
CollectionEquilibrium greedy_equilibrium(double utilisation, std::uint32_t pages_per_block);

}  // namespace nandscape::controller
