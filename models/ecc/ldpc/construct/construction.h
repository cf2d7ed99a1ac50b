// SPDX-License-Identifier: Apache-2.0
// How base matrices are made: rows of blocks are filled evenly, and so are pairs of them; then shifts are chosen column
// by column so that no cycle of 4 edges arises and few of 6, and chosen again in sweeps over all columns until that
// helps no more. Cycles through columns of weight 3 count for more, as fewer other checks look at them [extrinsic
// message degree; Tian et al. 2004]. The same arguments give the same matrix everywhere.
#pragma once

#include <cstdint>
#include <vector>

#include "ecc/ldpc/base_matrix.h"

namespace nandscape::ldpc {

struct Construction {
  std::uint32_t information_columns;
  std::uint32_t rows;
  std::uint32_t lifting;
  std::uint32_t light_columns;  // so many columns of the payload have weight 3, all others 4
  std::uint32_t sweeps;
  std::uint32_t seed;
};

std::vector<Block> construct(const Construction& construction);

}  // namespace nandscape::ldpc
