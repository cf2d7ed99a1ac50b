// SPDX-License-Identifier: Apache-2.0
// Soft reads: each read level of a page is sensed at several levels around it. Each sense reads the whole page with all
// its levels at one offset, and finds a bit for each cell. A soft decoder gets the number of senses that found a 1.
#pragma once

#include <bit>
#include <cstdint>

namespace nandscape {

inline constexpr std::uint32_t most_sensing_levels = 7;

// Bits that encode the number of senses that found a 1, for each bit of the page: ceil(log2(levels + 1)).
constexpr std::uint32_t soft_bits(std::uint32_t sensing_levels) {
  return static_cast<std::uint32_t>(std::bit_width(sensing_levels));
}

}  // namespace nandscape
