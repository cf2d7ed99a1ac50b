// SPDX-License-Identifier: Apache-2.0
//
// Balance of the blocks with i valid pages, in blocks per victim. Let N blocks of b pages have the utilisation r, and a
// victim j valid pages. Each victim makes room for b - j pages of the host. Each of these writes invalidates one of the
// r b N valid pages. So blocks leave level i, x_i N of them, for level i - 1 at a rate of
//
//   F_i = i x_i c,  1 / c = r b / (b - E[j])
//
// and for collection at a rate of p_i, the probability that the victim holds i. As blocks enter at level b only, F_i =
// P(j < i), and the levels' shares follow from the choice of victims.
#include "controller/mapping/greedy_equilibrium.h"

#include <algorithm>

namespace nandscape::controller {

// Blocks are collected at some level m or at m - 1: all that reach m - 1, as there is none below, and as many at m as
// are needed. Above m all blocks pass, F_i = 1, so x_i = c' / i. At m a share F passes and j = m - F; the condition
// that the shares add up to 1 is linear in F.
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
  // m = 0: entirely invalid blocks wait for collection, and nothing is ever moved.
  const double moved = m == 0 ? 0 : m - passing;
  const double per_level = utilisation * b / (b - moved);
  double rest = 1;
  for (std::uint32_t i = pages_per_block; i > m; --i) rest -= blocks[i] = per_level / i;
  blocks[m] = std::max(0.0, rest);  // rounding may make it slightly negative
  return {moved, b / (b - moved), std::move(blocks)};
}

}  // namespace nandscape::controller
