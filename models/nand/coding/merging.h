// SPDX-License-Identifier: Apache-2.0
// The invalid-data-aware coding of Choi et al., "Invalid Data-Aware Coding to Enhance the Read Performance of
// High-Density Flash Memories" (MICRO 2018). States that differ only in the bits of invalid pages are merged, so the
// other pages of the wordline need fewer read levels. ISPP can only raise threshold voltages. The cells of a group of
// states with the same valid bits are therefore moved to the highest state of the group. Every coding can be merged,
// including one that has already been merged.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "nand/coding/coding.h"

namespace nandscape::nand {

struct Merging {
  // For each state of the original coding, the state of that coding to which its cells are moved. It is never a lower
  // state.
  std::vector<std::uint8_t> target;
  // The states to which cells are moved, in ascending order. State s of the merged coding is state kept[s] of the
  // original coding.
  std::vector<std::uint8_t> kept;
  // For each page of the original coding, the page of the merged coding that contains the same bits, or nullopt if the
  // page is invalid.
  std::vector<std::optional<std::uint32_t>> new_page;
  // The merged coding. It contains the valid pages in their original order, and its states are at their original
  // places. A level may thus be between two states whose places are not adjacent.
  Coding coding;
};

// Computes the merging of a wordline. Bit p of `valid_pages` is set if page p is valid. Throws std::invalid_argument if
// `valid_pages` contains a page that the coding does not have.
Merging merge(const Coding& coding, std::uint32_t valid_pages);

// The codings that wordlines of a die can have: the native coding, SLC mode, and the merged codings. A wordline has a
// merged coding if its voltages were adjusted when some of its pages were invalid.
class CellCodings {
 public:
  explicit CellCodings(const Coding& native);

  const Coding& native() const { return *native_; }
  const Coding& slc() const { return *slc_; }
  // Returns the merging for these valid pages. Bit p of `valid_pages` is set if page p of the native coding is valid.
  // At least one page must be valid and at least one invalid.
  const Merging& merging(std::uint32_t valid_pages) const { return mergings_[valid_pages - 1]; }

 private:
  const Coding* native_;
  const Coding* slc_;
  std::vector<Merging> mergings_;
};

}  // namespace nandscape::nand
