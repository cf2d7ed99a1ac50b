// SPDX-License-Identifier: Apache-2.0
// Tables for the syndromes with odd indices, which are linear functions of the remainder. If the remainder is s(x) =
// sum of bit_i x^(r-1-i), then S_l = s(alpha^l). The even syndromes are squares: S_2l = S_l^2.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ecc/bch/cache_line_vector.h"
#include "ecc/bch/galois_field.h"

namespace nandscape::ecc {

struct SyndromeTables {
  // The syndromes S_1, S_3, ... are computed in groups of 32. The last group is padded with zeros.
  static constexpr std::size_t group_lanes = 32;

  SyndromeTables(const GaloisField& field, std::size_t remainder_bits, std::uint32_t correctable_bits);

  std::size_t groups;
  std::size_t nibbles;  // number of nibbles in the remainder
  // The contribution of a nibble of the remainder to the syndromes of a group, indexed by group, nibble and the value
  // of the nibble.
  CacheLineVector<std::uint16_t> additions;
};

}  // namespace nandscape::ecc
