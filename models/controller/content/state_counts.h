// SPDX-License-Identifier: Apache-2.0
// The four state counters [Sha, section IV-C]: how many cells of a wordline each state gets, from the bytes of its two
// pages. Cell i holds bit i of either page.
#pragma once

#include <cstddef>
#include <span>

#include "controller/content/cell_states.h"

namespace nandscape::controller {

// Of pages of equal size, eight cells for each byte of one of them.
StateCounts count_states(std::span<const std::byte> lsb, std::span<const std::byte> msb);

// The same of each of as many segments of equal size as `segments` has; the bytes of a page are a multiple of their
// number.
void count_segments(std::span<const std::byte> lsb, std::span<const std::byte> msb, std::span<StateCounts> segments);

// Of bytes whose neighbouring bits share a cell, four cells for each byte, the higher bit being the left digit. So the
// paper counts the states of files: 16384 of 4 KB.
StateCounts count_symbols(std::span<const std::byte> bytes);

}  // namespace nandscape::controller
