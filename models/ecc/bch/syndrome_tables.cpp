// SPDX-License-Identifier: Apache-2.0
#include "ecc/bch/syndrome_tables.h"

#include <algorithm>
#include <bit>

namespace nandscape::ecc {

SyndromeTables::SyndromeTables(const GaloisField& field, std::size_t remainder_bits, std::uint32_t correctable_bits)
    : groups((correctable_bits + group_lanes - 1) / group_lanes),
      nibbles((remainder_bits + 3) / 4),
      additions(groups * nibbles * 16 * group_lanes) {
  for (std::size_t group = 0; group < groups; ++group) {
    const std::size_t lanes = std::min(group_lanes, correctable_bits - group * group_lanes);
    for (std::size_t nibble = 0; nibble < nibbles; ++nibble) {
      std::uint16_t* const rows = &additions[(group * nibbles + nibble) * 16 * group_lanes];
      for (std::uint32_t value = 1; value < 16; ++value) {
        const std::uint32_t lowest = static_cast<std::uint32_t>(std::countr_zero(value));
        const std::size_t bit = 4 * nibble + lowest;
        if (bit >= remainder_bits) continue;
        const std::uint16_t* const others = rows + (value & (value - 1)) * group_lanes;
        for (std::size_t lane = 0; lane < lanes; ++lane) {
          const std::uint64_t index = 2 * (group * group_lanes + lane) + 1;
          rows[value * group_lanes + lane] = others[lane] ^ field.power(index * (remainder_bits - 1 - bit));
        }
      }
    }
  }
}

}  // namespace nandscape::ecc
