// SPDX-License-Identifier: Apache-2.0
// The invalid-data-aware coding of Choi et al., "Invalid Data-Aware Coding to Enhance the Read Performance of
// High-Density Flash Memories" (MICRO 2018): when pages of a wordline have become invalid, states that differ only in
// their bits are merged, and fewer levels tell the other pages' bits apart. ISPP can but raise threshold voltages, so
// that states merge into the highest of those with the same valid bits. This works for every coding, a merged one as
// well.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "nand/coding/coding.h"

namespace nandscape::nand {

struct Merging {
  // By state of the coding that was merged: the state, of that coding too, to which its cells move. None lies lower.
  std::vector<std::uint8_t> target;
  // The states to which cells move, ascending. State s of the merged coding is state kept[s] of the one before.
  std::vector<std::uint8_t> kept;
  // By page of the coding that was merged: the page of the merged coding that holds its bits; none where it is invalid.
  std::vector<std::optional<std::uint32_t>> new_page;
  // Keeps the valid pages in their order, and its states at the places where they were. A level of it can lie between
  // states that are no neighbours on the ladder of places.
  Coding coding;
};

// Bit p of `valid_pages` tells that page p is valid. Throws std::invalid_argument when the coding lacks a valid page.
Merging merge(const Coding& coding, std::uint32_t valid_pages);

}  // namespace nandscape::nand
