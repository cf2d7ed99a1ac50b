// SPDX-License-Identifier: Apache-2.0
// Constructs base matrices. Rows of blocks and pairs of rows are filled evenly. Then shifts are chosen column by column
// so that they close no cycle of 4 edges and few of 6. Sweeps over all columns choose them again. The same arguments
// give the same matrix on every platform.
//
// All columns have weight 4 except for the first of the gap, which has weight 3: with even weights only, the rows would
// add up to zero. If half of the payload's columns had weight 3, hard decisions would begin to fail at lower RBERs; a
// few such columns change nothing.
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
