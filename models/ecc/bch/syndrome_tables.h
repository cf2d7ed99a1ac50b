// SPDX-License-Identifier: Apache-2.0
// Tables for the odd syndromes, which are a linear map of the remainder. S_l = s(alpha^l) for the remainder s(x) = sum
// of bit_i x^(r-1-i); the even syndromes are squares, S_2l = S_l^2.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ecc/bch/cache_line_vector.h"
#include "ecc/bch/galois_field.h"

namespace nandscape::ecc {

struct SyndromeTables {
  // Syndromes S_1, S_3, ... come in groups of 32; zeros fill the last group.
  static constexpr std::size_t group_lanes = 32;

  SyndromeTables(const GaloisField& field, std::size_t remainder_bits, std::uint32_t correctable_bits);

  std::size_t groups;
  std::size_t nibbles;  // nibbles of the remainder
  // Contribution of a nibble to the syndromes of a group, by group, nibble and the nibble's value.
  CacheLineVector<std::uint16_t> additions;
};

}  // namespace nandscape::ecc
