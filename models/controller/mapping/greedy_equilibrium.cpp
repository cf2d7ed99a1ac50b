// SPDX-License-Identifier: Apache-2.0
//
// Derivation of the equilibrium. Level i is the set of blocks with i valid pages, and all rates are blocks per victim.
// Let N be the number of blocks, b the pages of a block, r the utilisation, x_i the share of blocks on level i, and j
// the number of valid pages of a victim. Each victim makes room for b - j pages of the host. Each page that the host
// writes invalidates one of the r b N valid pages at random. Therefore blocks move from level i to level i - 1 at the
// rate
//
//   F_i = i x_i c,  1 / c = r b / (b - E[j])
//
// In addition, blocks leave level i to be collected at the rate p_i, the probability that a victim has i valid pages.
// Blocks enter only on level b, so F_i = P(j < i). The policy that chooses the victims thus determines the shares x_i.
#include "controller/mapping/greedy_equilibrium.h"

#include <algorithm>

namespace nandscape::controller {

// For the greedy policy, all victims have m or m - 1 valid pages, for some m. All blocks that reach level m - 1 are
// collected, since there is no lower level, together with as many blocks of level m as are needed. All blocks pass
// through the levels above m, so F_i = 1 and x_i = 1 / (c i). A share F of the blocks passes through level m, so E[j] =
// m - F. The condition that the shares x_i add up to 1 is linear in F.
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
  // If m is 0, blocks without any valid page wait for collection, and nothing is ever moved.
  const double moved = m == 0 ? 0 : m - passing;
  const double per_level = utilisation * b / (b - moved);
  double rest = 1;
  for (std::uint32_t i = pages_per_block; i > m; --i) rest -= blocks[i] = per_level / i;
  blocks[m] = std::max(0.0, rest);  // rounding may make it slightly negative
  return {moved, b / (b - moved), std::move(blocks)};
}

}  // namespace nandscape::controller
