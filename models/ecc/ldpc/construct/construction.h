// SPDX-License-Identifier: Apache-2.0
// How base matrices are made: rows of blocks are filled evenly, and so are pairs of them; then shifts are chosen column
// by column so that no cycle of 4 edges arises and few of 6, and chosen again in sweeps over all columns until that
// helps no more. The same arguments give the same matrix everywhere.
//
// All columns have weight 4, but for the first of the gap, which has 3: were all weights even, the rows would add up to
// zero. With half of the payload's columns of weight 3, hard decisions begin to fail at lower RBERs; a few change
// nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "ecc/ldpc/base_matrix.h"

namespace nandscape::ecc::ldpc {

struct Construction {
  std::uint32_t information_columns;
  std::uint32_t rows;
  std::uint32_t lifting;
  std::uint32_t sweeps;
  std::uint32_t seed;
};

std::vector<Block> construct(const Construction& construction);

}  // namespace nandscape::ecc::ldpc
