// SPDX-License-Identifier: Apache-2.0
// What a read of a page makes of a cell whose threshold voltage lies where its state does not.
#pragma once

#include <cstdint>

#include "nand/coding/coding.h"

namespace nandscape {

// The bit that is read when `levels_below` of the page's own levels lie below the cell's threshold voltage: it starts
// from the lowest state's bit and flips at each level.
inline bool read_bit(const Coding& coding, std::uint32_t page, std::uint32_t levels_below) {
  return coding.bit(0, page) != (levels_below % 2 == 1);
}

// Whether a cell that was programmed to `state` gives a wrong bit. Two levels too far can give the right one again.
inline bool misread(const Coding& coding, std::uint32_t state, std::uint32_t page, std::uint32_t levels_below) {
  return read_bit(coding, page, levels_below) != coding.bit(state, page);
}

}  // namespace nandscape
