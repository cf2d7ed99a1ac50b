// SPDX-License-Identifier: Apache-2.0
// The syndromes of odd index as a linear map of the remainder. S_l = s(alpha^l) for the remainder
// s(x) = sum of bit_i x^(r-1-i); those of even index are squares, S_2l = S_l^2.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ecc/bch/cache_line_vector.h"
#include "ecc/bch/galois_field.h"

namespace nandscape::ecc {

struct SyndromeTables {
  // Syndromes S_1, S_3, ..., 32 of them in a group; zeros fill the last one.
  static constexpr std::size_t group_lanes = 32;

  SyndromeTables(const GaloisField& field, std::size_t remainder_bits, std::uint32_t correctable_bits);

  std::size_t groups;
  std::size_t nibbles;  // of the remainder
  // By group, nibble and its value: what it adds to the syndromes of the group.
  CacheLineVector<std::uint16_t> additions;
};

}  // namespace nandscape::ecc
