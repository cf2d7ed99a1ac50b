// SPDX-License-Identifier: Apache-2.0
//
// Balance of the blocks with i valid pages, in blocks per victim. Each victim makes room for b - j pages of the host, j
// being what it still holds, and each of these writes invalidates one of the r b N valid pages. So blocks leave level
// i, x_i N of them, for level i - 1 at a rate of
//
//   F_i = i x_i c,  1 / c = r b / (b - E[j])
//
// and for collection at a rate of p_i, the probability that the victim holds i. As blocks enter at level b only,
// F_i = P(j < i), and the levels' shares follow from how victims are chosen.
#include "controller/migration/garbage_collection/write_amplification.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace nandscape {

namespace {

// Enough to halve an interval of doubles down to neighbours.
constexpr int bisections = 100;

CollectionEquilibrium equilibrium(double moved_pages, std::uint32_t pages_per_block, std::vector<double> blocks) {
  return {moved_pages, pages_per_block / (pages_per_block - moved_pages), std::move(blocks)};
}

}  // namespace

double lambert_w(double x) {
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

double fifo_write_amplification(double utilisation) {
  const double a = 1 / utilisation;
  return a / (a + lambert_w(-a * std::exp(-a)));
}

// All blocks pass level b by an invalidation, F_b = 1, and p_i = x_i / (1 - x_b) below it; so E[j] = u (b - 1).
double random_write_amplification(double utilisation, std::uint32_t pages_per_block) {
  return pages_per_block / (pages_per_block - utilisation * (pages_per_block - 1));
}

// Blocks are collected once they have come down to some level m, or to m - 1: all that reach m - 1, as there is none
// below, and of those at m as many as are needed. Above m all blocks pass, F_i = 1, so x_i = c' / i; at m a share F
// passes, j = m - F, and that shares add up to 1 is linear in F.
CollectionEquilibrium greedy_equilibrium(double utilisation, std::uint32_t pages_per_block) {
  const double b = pages_per_block;
  std::vector<double> blocks(pages_per_block + 1);
  double harmonic = 0;  // 1/b + ... + 1/(m + 1)
  std::uint32_t m = pages_per_block - 1;
  double passing = 1;
  for (; m > 0; --m) {
    harmonic += 1.0 / (m + 1);
    passing = (b - m - utilisation * b * harmonic) / (utilisation * b / m - 1);
    if (passing <= 1 && passing >= 0) break;
  }
  // Blocks that are invalid altogether wait for collection: nothing is ever moved.
  const double moved = m == 0 ? 0 : m - passing;
  const double per_level = utilisation * b / (b - moved);
  double rest = 1;
  for (std::uint32_t i = pages_per_block; i > m; --i) rest -= blocks[i] = per_level / i;
  blocks[m] = std::max(0.0, rest);  // a shade below it by rounding
  return equilibrium(moved, pages_per_block, std::move(blocks));
}

// With S_i the share of blocks with at least i valid pages, and T_i that share among those with an invalid page,
// P(j < i) = 1 - T_i^d, so S_i follows from S_(i+1) for a given c; and c from the number of valid pages, which grows
// with it.
CollectionEquilibrium d_choices_equilibrium(double utilisation, std::uint32_t pages_per_block,
                                            std::uint32_t candidates) {
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
  return equilibrium(moved, b, std::move(blocks));
}

double full_block_utilisation(double valid_pages, double blocks, double free_blocks, std::uint32_t pages_per_block) {
  return (valid_pages - pages_per_block) / ((blocks - free_blocks - 2) * pages_per_block);
}

}  // namespace nandscape
