// SPDX-License-Identifier: Apache-2.0
// The four state counters [Sha, section IV-C]: count the cells of a wordline in each state from the bytes of its two
// pages. Cell i holds bit i of each page.
#pragma once

#include <cstddef>
#include <span>

#include "controller/content/cell_states.h"

namespace nandscape::controller {

// The pages must have equal size; each byte of a page gives eight cells.
StateCounts count_states(std::span<const std::byte> lsb, std::span<const std::byte> msb);

// Counts the states of segments.size() equal segments. The size of a page must be a multiple of segments.size().
void count_segments(std::span<const std::byte> lsb, std::span<const std::byte> msb, std::span<StateCounts> segments);

// Counts the states of cells that each hold two neighbouring bits, the higher bit being the left digit: four cells for
// each byte. The paper counts the states of files in this way: 16384 cells in 4 KB.
StateCounts count_symbols(std::span<const std::byte> bytes);

}  // namespace nandscape::controller
