// SPDX-License-Identifier: Apache-2.0
// Operations on columns of blocks that are stored as bits. Bit i of a column is bit i % 64 of its word i / 64.
#pragma once

#include <cstdint>

#include "ecc/ldpc/base_matrix.h"

namespace nandscape::ecc::ldpc {

inline constexpr std::uint32_t most_words = most_lifting / 64;  // maximum number of words in a column

// Adds bit i + shift of `bits` to bit i of `sum`, modulo 2. The bit positions wrap around at the end of the column.
// `words` must be a power of two.
inline void add_rotated(std::uint64_t* sum, const std::uint64_t* bits, std::uint32_t shift, std::uint32_t words) {
  const std::uint32_t from = shift / 64;
  const std::uint32_t down = shift % 64;
  for (std::uint32_t i = 0; i < words; ++i) {
    const std::uint64_t low = bits[(from + i) & (words - 1)];
    const std::uint64_t high = bits[(from + i + 1) & (words - 1)];
    sum[i] ^= low >> down | high << 1 << (63 - down);
  }
}

}  // namespace nandscape::ecc::ldpc
