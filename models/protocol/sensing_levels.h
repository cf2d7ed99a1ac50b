// SPDX-License-Identifier: Apache-2.0
// Soft reads. Each read level of a page is sensed at several levels around it. Each sense reads the whole page with all
// its levels shifted by the same offset, and yields one bit for each cell. A soft decoder receives the number of senses
// that read a 1.
#pragma once

#include <bit>
#include <cstdint>

namespace nandscape {

inline constexpr std::uint32_t most_sensing_levels = 7;

// Returns the number of bits that encode, for each bit of the page, how many senses read a 1: ceil(log2(levels + 1)).
constexpr std::uint32_t soft_bits(std::uint32_t sensing_levels) {
  return static_cast<std::uint32_t>(std::bit_width(sensing_levels));
}

}  // namespace nandscape
