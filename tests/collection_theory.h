// SPDX-License-Identifier: Apache-2.0
// Long-run garbage collection under uniformly random page writes: theory to compare with the device.
// controller/mapping/greedy_equilibrium.h defines the balance of the blocks and the utilisation.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "controller/mapping/greedy_equilibrium.h"

namespace nandscape {

// The principal branch of w exp(w) = x, for x >= -1/e.
inline double lambert_w(double x) {
  // Halley's iteration, from the branch point's series or from the logarithm.
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

// FIFO in closed form: the share u of a victim's pages that are still valid satisfies u = exp(-(1 - u) / utilisation).
// Greedy tends to the same value as blocks get large [Desnoyers, SYSTOR 2012].
inline double fifo_write_amplification(double utilisation) {
  const double a = 1 / utilisation;
  return a / (a + lambert_w(-a * std::exp(-a)));
}

// The victim is a random block with an invalid page. As blocks get large, the result approaches 1 / (1 - utilisation),
// the write amplification if full blocks could also be victims. Every block leaves level b by an invalidation, F_b = 1,
// and p_i = x_i / (1 - x_b) below it; so E[j] = u (b - 1).
inline double random_write_amplification(double utilisation, std::uint32_t pages_per_block) {
  return pages_per_block / (pages_per_block - utilisation * (pages_per_block - 1));
}

// The victim has the fewest valid pages of `candidates` drawn at random among the blocks with an invalid page [after
// Van Houdt, SIGMETRICS 2013, where all are drawn]; one candidate is the random policy.
//
// S_i is the share of blocks with at least i valid pages, and T_i the same share among the blocks with an invalid page.
// With d candidates, P(j < i) = 1 - T_i^d, and i (S_i - S_(i+1)) = c P(j < i). Here c is the ratio of a block's rate of
// collections to a valid page's rate of overwrites. The number of valid pages grows with c and so determines c.
inline controller::CollectionEquilibrium d_choices_equilibrium(double utilisation, std::uint32_t pages_per_block,
                                                               std::uint32_t candidates) {
  constexpr int bisections = 100;  // enough to shrink an interval to two adjacent doubles
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

// Utilisation of a plane's full blocks. On average `free_blocks` of its `blocks` are free, and two are open: the host's
// and the one for moved pages, each half full of valid pages.
inline double full_block_utilisation(double valid_pages, double blocks, double free_blocks,
                                     std::uint32_t pages_per_block) {
  return (valid_pages - pages_per_block) / ((blocks - free_blocks - 2) * pages_per_block);
}

}  // namespace nandscape
