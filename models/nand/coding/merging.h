// SPDX-License-Identifier: Apache-2.0
// The invalid-data-aware coding of Choi et al., "Invalid Data-Aware Coding to Enhance the Read Performance of
// High-Density Flash Memories" (MICRO 2018). States that differ only in bits of invalid pages are merged, so the other
// pages need fewer read levels. ISPP can only raise threshold voltages, so states merge into the highest state with the
// same valid bits. Every coding can be merged, including a merged one.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "nand/coding/coding.h"

namespace nandscape::nand {

struct Merging {
  // By state of the original coding: the state of that coding to which its cells move, never a lower one.
  std::vector<std::uint8_t> target;
  // The states to which cells move, ascending. State s of the merged coding is state kept[s] of the original coding.
  std::vector<std::uint8_t> kept;
  // By page of the original coding: the page of the merged coding that holds the same bits; nullopt if the page is
  // invalid.
  std::vector<std::optional<std::uint32_t>> new_page;
  // The merged coding: valid pages in their order, states at their original places. Levels may lie between states at
  // places that are not adjacent.
  Coding coding;
};

// Bit p of `valid_pages` is set if page p is valid. Throws std::invalid_argument if the coding lacks a valid page.
Merging merge(const Coding& coding, std::uint32_t valid_pages);

// The possible codings of a die's wordlines: the native coding, SLC mode, and the merged codings after a voltage
// adjustment of a wordline with invalid pages.
class CellCodings {
 public:
  explicit CellCodings(const Coding& native);

  const Coding& native() const { return *native_; }
  const Coding& slc() const { return *slc_; }
  // Bit p of `valid_pages` is set if page p of the native coding is valid; at least one page must be valid, and one
  // invalid.
  const Merging& merging(std::uint32_t valid_pages) const { return mergings_[valid_pages - 1]; }

 private:
  const Coding* native_;
  const Coding* slc_;
  std::vector<Merging> mergings_;
};

}  // namespace nandscape::nand
