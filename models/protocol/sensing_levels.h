// SPDX-License-Identifier: Apache-2.0
// Soft reads: each read level of a page is sensed at several levels round it. All of these senses, each of them of the
// whole page with its levels at one offset, find a bit for each cell, and how many of them have found a 1 is what a
// soft decoder learns of it.
#pragma once

#include <bit>
#include <cstdint>

namespace nandscape {

inline constexpr std::uint32_t most_sensing_levels = 7;

// Bits that tell how many of the senses have found a 1, of each bit of the page: ceil(log2(levels + 1)).
constexpr std::uint32_t soft_bits(std::uint32_t sensing_levels) {
  return static_cast<std::uint32_t>(std::bit_width(sensing_levels));
}

}  // namespace nandscape
