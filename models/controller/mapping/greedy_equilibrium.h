// SPDX-License-Identifier: Apache-2.0
// The long-run state of greedy garbage collection when the host writes pages uniformly at random. Devices can start
// from this state.
//
// The utilisation is the share of valid pages among the pages of the full blocks. Free and open blocks do not count, so
// it is somewhat higher than 1 / (1 + over_provisioning).
#pragma once

#include <cstdint>
#include <vector>

namespace nandscape::controller {

// The balance of a plane with very many blocks.
struct CollectionEquilibrium {
  double moved_pages = 0;          // mean per victim
  double write_amplification = 1;  // ratio of pages programmed to pages written by the host
  std::vector<double> blocks;      // share of the full blocks by their number of valid pages, 0 to pages_per_block
};

// The victim is the block with the fewest valid pages [Bux, Iliadis, Performance Evaluation 2010]. The utilisation must
// be between 0 and 1.
CollectionEquilibrium greedy_equilibrium(double utilisation, std::uint32_t pages_per_block);

}  // namespace nandscape::controller
