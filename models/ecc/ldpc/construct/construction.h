// SPDX-License-Identifier: Apache-2.0
// Constructs base matrices for LDPC codes. First the positions of the blocks are chosen so that all rows, and all pairs
// of rows, have nearly the same number of blocks. Then the shifts are chosen column by column, so that they close no
// cycle of 4 edges and few cycles of 6 edges. Additional sweeps over all columns choose the shifts of each column
// again. The same arguments give the same matrix on every platform.
//
// All columns have weight 4, except for the first column of the gap, which has weight 3. If all weights were even, the
// sum of all rows would be zero and the rows would not be independent. If half of the payload's columns had weight 3,
// decoding from hard decisions would begin to fail at lower RBERs. A few columns of weight 3 make no difference.
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
