// SPDX-License-Identifier: Apache-2.0
// The parity-check matrix of a quasi-cyclic LDPC code. The matrix consists of square blocks of `lifting` rows and
// columns. Each block is either zero or an identity matrix with rotated columns. Row r of a block with shift s checks
// column (r + s) % lifting of the block.
//
// The columns of the payload come first, followed by one parity column for each row of blocks. The parity columns form
// a lower triangle, except for the last `gap` columns, which may have blocks in all rows. Parity column p < rows - gap
// has its first block in row p, with shift 0. Once the bits of the gap columns are known, all other parity bits follow
// by substitution. With a full triangle instead of the gap, the last columns could not have the same weight as the
// others.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace nandscape::ecc::ldpc {

inline constexpr std::uint32_t gap = 3;

// The largest sizes that the codecs support.
inline constexpr std::uint32_t most_rows = 32;
inline constexpr std::uint32_t most_lifting = 256;
inline constexpr std::uint32_t most_blocks_of_row = 96;
inline constexpr std::uint32_t most_blocks_of_column = 4;

struct Block {
  std::uint16_t column;
  std::uint16_t row;
  std::uint16_t shift;

  bool operator==(const Block&) const = default;
};

struct BaseMatrix {
  std::uint32_t information_columns = 0;
  std::uint32_t rows = 0;
  std::uint32_t lifting = 0;      // a power of two, at least 64
  std::span<const Block> blocks;  // ascending by column, then by row

  std::uint32_t columns() const { return information_columns + rows; }
  std::uint32_t information_bytes() const { return information_columns * lifting / 8; }
  std::uint32_t parity_bytes() const { return rows * lifting / 8; }
};

// Returns the matrices that were made with construct/construct_matrix.cpp.
std::span<const BaseMatrix> base_matrices();

// Counts the cycles of 4 and of 6 edges in the Tanner graph of the code. Cycles that are rotations of one another are
// counted once.
struct ShortCycles {
  std::uint64_t of_4 = 0;
  std::uint64_t of_6 = 0;
};
ShortCycles short_cycles(const BaseMatrix& matrix);

// Returns true if the rows of the parity-check matrix are linearly independent, so that the payload determines the
// parity bits. Because `lifting` is a power of two, the rotations generate a local ring. A matrix over this ring is
// invertible if the weights of its blocks, modulo 2, form an invertible matrix.
bool parity_is_determined(const BaseMatrix& matrix);

}  // namespace nandscape::ecc::ldpc
