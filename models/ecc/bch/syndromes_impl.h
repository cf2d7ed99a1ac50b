// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ecc/bch/syndrome_tables.h"
#include "ecc/bch/vectors.h"

namespace nandscape::ecc::bch_kernel_code {

template <class Vectors>
NANDSCAPE_BCH_INLINE void odd_syndromes(const SyndromeTables& tables, const std::uint64_t* remainder,
                                        std::uint16_t* syndromes) {
  using Lanes = typename Vectors::Lanes;
  constexpr std::size_t lanes = sizeof(Lanes) / sizeof(std::uint16_t);
  constexpr std::size_t parts = SyndromeTables::group_lanes / lanes;
  const std::uint16_t* row = tables.additions.data();
  for (std::size_t group = 0; group < tables.groups; ++group) {
    Lanes sum[parts] = {};
    for (std::size_t nibble = 0; nibble < tables.nibbles; ++nibble, row += 16 * SyndromeTables::group_lanes) {
      const std::size_t value = remainder[nibble / 16] >> nibble % 16 * 4 & 15;
      for (std::size_t part = 0; part < parts; ++part) {
        Lanes addition;
        load(addition, row + value * SyndromeTables::group_lanes + part * lanes);
        sum[part] ^= addition;
      }
    }
    for (std::size_t part = 0; part < parts; ++part) {
      store(syndromes + group * SyndromeTables::group_lanes + part * lanes, sum[part]);
    }
  }
}

}  // namespace nandscape::ecc::bch_kernel_code
