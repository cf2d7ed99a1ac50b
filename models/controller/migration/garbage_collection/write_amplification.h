// SPDX-License-Identifier: Apache-2.0
// What garbage collection comes to in the long run when the host writes pages at random, all with equal chance: theory
// to set beside the device, and to start it from.
//
// The utilisation is the share of valid pages among the pages of the full blocks. Blocks that are free or open are not
// among them, so it is somewhat higher than 1 / (1 + over_provisioning); see full_block_utilisation().
#pragma once

#include <cstdint>
#include <vector>

namespace nandscape {

// The principal branch of w exp(w) = x, for x >= -1/e.
double lambert_w(double x);

// First in, first out, in closed form: as much is left valid in a block as survives exp(-(1 - u) / utilisation), u
// being that share itself. Greedy tends to the same as blocks get large [Desnoyers, SYSTOR 2012].
double fifo_write_amplification(double utilisation);
// Any block with an invalid page. Were blocks without one chosen, too, it would be 1 / (1 - utilisation), to which it
// tends as blocks get large.
double random_write_amplification(double utilisation, std::uint32_t pages_per_block);

// A plane with very many blocks, in balance.
struct CollectionEquilibrium {
  double moved_pages = 0;          // of a victim, on average
  double write_amplification = 1;  // pages programmed over pages the host wrote
  std::vector<double> blocks;      // share of the full blocks by their number of valid pages, 0 to pages_per_block
};

// The victim has the fewest valid pages of all [Bux, Iliadis, Performance Evaluation 2010], or of `candidates` drawn at
// random among those with an invalid page [after Van Houdt, SIGMETRICS 2013, where all are drawn]; one candidate is the
// random policy. The utilisation lies between 0 and 1.
CollectionEquilibrium greedy_equilibrium(double utilisation, std::uint32_t pages_per_block);
CollectionEquilibrium d_choices_equilibrium(double utilisation, std::uint32_t pages_per_block,
                                            std::uint32_t candidates);

// Of a plane's `blocks` so many are free on average, and two are open: the host's and the one for moved pages, half
// full of valid pages each.
double full_block_utilisation(double valid_pages, double blocks, double free_blocks, std::uint32_t pages_per_block);

}  // namespace nandscape
