// SPDX-License-Identifier: Apache-2.0
// Closed forms and equations for the long-run write amplification of garbage collection under uniformly random page
// writes. Tests compare the device with them. The struct CollectionEquilibrium and the utilisation are defined in
// controller/mapping/greedy_equilibrium.h.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "controller/mapping/greedy_equilibrium.h"

namespace nandscape {

// Solves w exp(w) = x for w on the principal branch of the Lambert W function. x must be at least -1/e.
inline double lambert_w(double x) {
  // Halley's iteration. It starts from the series at the branch point for small x, and from log(1 + x) otherwise.
  const double e_x = std::exp(1.0) * x;
  if (e_x <= -1) return -1;
  double w = e_x < 0.5 ? std::sqrt(2 * (1 + e_x)) - 1 : std::log1p(x);
  for (int k = 0; k < 50; ++k) {
    const double power = std::exp(w);
    const double residual = w * power - x;
    if (residual == 0) break;
    const double step = residual / (power * (w + 1) - (w + 2) * residual / (2 * w + 2));
    w -= step;
    if (std::abs(step) <= 1e-15 * std::abs(w)) break;
  }
  return w;
}

// Returns the write amplification if the victim is the oldest block (FIFO). The share u of the victim's pages that are
// still valid satisfies u = exp(-(1 - u) / utilisation). The greedy policy tends to the same value as blocks become
// large [Desnoyers, SYSTOR 2012].
inline double fifo_write_amplification(double utilisation) {
  const double a = 1 / utilisation;
  return a / (a + lambert_w(-a * std::exp(-a)));
}

// Returns the write amplification if the victim is drawn at random from the blocks that have an invalid page. As blocks
// become large, the result approaches 1 / (1 - utilisation), which is the write amplification if full blocks could also
// be drawn.
//
// Derivation, with b pages per block, utilisation u, and x_i the share of the blocks with i valid pages: every block
// leaves level b by an invalidation, so the flow F_b is 1. For i below b, a victim has i valid pages with probability
// p_i = x_i / (1 - x_b). It follows that the victim has E[j] = u (b - 1) valid pages on average.
inline double random_write_amplification(double utilisation, std::uint32_t pages_per_block) {
  return pages_per_block / (pages_per_block - utilisation * (pages_per_block - 1));
}

// Returns the long-run state of garbage collection with the d-choices policy: `candidates` blocks are drawn at random
// from the blocks that have an invalid page, and the one with the fewest valid pages is the victim. With one candidate,
// this is the random policy. [Van Houdt, SIGMETRICS 2013] draws from all blocks; the equations are adapted.
//
// Let S_i be the share of blocks with at least i valid pages, and T_i the same share among the blocks with an invalid
// page. With d candidates, the victim has fewer than i valid pages with probability P(j < i) = 1 - T_i^d. In
// equilibrium, i (S_i - S_(i+1)) = c P(j < i). Here c is the rate at which a block is collected, divided by the rate at
// which a valid page is overwritten. The number of valid pages grows with c, so c is found by bisection on the
// utilisation.
inline controller::CollectionEquilibrium d_choices_equilibrium(double utilisation, std::uint32_t pages_per_block,
                                                               std::uint32_t candidates) {
  constexpr int bisections = 100;  // enough to narrow an interval down to two adjacent doubles
  const std::uint32_t b = pages_per_block;
  std::vector<double> at_least(b + 2);
  const auto all_drawn_at_least = [&](double share) {
    return std::pow(std::max(0.0, share - at_least[b]) / (1 - at_least[b]), candidates);
  };
  const auto solve = [&](double c) {
    double valid = at_least[b] = c / b;
    for (std::uint32_t i = b - 1; i > 0; --i) {
      double low = at_least[i + 1], high = 1;
      for (int k = 0; k < bisections; ++k) {
        const double middle = (low + high) / 2;
        if (middle == low || middle == high) break;
        (middle - at_least[i + 1] < c / i * (1 - all_drawn_at_least(middle)) ? low : high) = middle;
      }
      at_least[i] = high;
      valid += high;
    }
    at_least[0] = 1;
    return valid / b;
  };
  double low = 0, high = b;
  for (int k = 0; k < bisections; ++k) {
    const double middle = (low + high) / 2;
    if (middle == low || middle == high) break;
    (solve(middle) < utilisation ? low : high) = middle;
  }
  solve(low);
  double moved = 0;
  std::vector<double> blocks(b + 1);
  for (std::uint32_t i = 0; i <= b; ++i) {
    blocks[i] = at_least[i] - at_least[i + 1];
    if (i > 0) moved += all_drawn_at_least(at_least[i]);
  }
  return {moved, b / (b - moved), std::move(blocks)};
}

// Returns the utilisation of the full blocks of a plane. On average, `free_blocks` of its `blocks` blocks are free. Two
// blocks are open, one for host writes and one for moved pages; on average each is half full, and all its pages are
// valid.
inline double full_block_utilisation(double valid_pages, double blocks, double free_blocks,
                                     std::uint32_t pages_per_block) {
  return (valid_pages - pages_per_block) / ((blocks - free_blocks - 2) * pages_per_block);
}

}  // namespace nandscape
