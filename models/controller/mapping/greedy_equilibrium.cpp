// SPDX-License-Identifier: Apache-2.0
//
// The balance of the blocks with i valid pages (level i), in blocks per victim. Let N blocks of b pages have the
// utilisation r, let x_i be the share of blocks on level i, and let a victim have j valid pages. Each victim makes
// room for b - j pages of the host. Each page that the host writes invalidates one of the r b N valid pages. Therefore
// blocks leave level i for level i - 1 at the rate
//
//   F_i = i x_i c,  1 / c = r b / (b - E[j])
//
// and for collection at the rate p_i, the probability that the victim has i valid pages. Blocks enter on level b only,
// so F_i = P(j < i). The choice of victims then determines the shares x_i.
#include "controller/mapping/greedy_equilibrium.h"

#include <algorithm>

namespace nandscape::controller {

// Victims have m or m - 1 valid pages, for some m. All blocks that reach level m - 1 are collected, since there are
// none below, and as many on level m as are needed. All blocks pass the levels above m: F_i = 1, so x_i = 1 / (c i). A
// share F of the blocks passes level m, so E[j] = m - F. The condition that the shares add up to 1 is linear in F.
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
