// SPDX-License-Identifier: Apache-2.0
// The codings that wordlines of a die can be in: the device's own, SLC mode, and what is left of the device's own once
// pages have become invalid and a voltage adjustment has merged their states.
#pragma once

#include <cstdint>
#include <vector>

#include "nand/coding/coding.h"
#include "nand/coding/merging.h"

namespace nandscape::nand {

class CellCodings {
 public:
  explicit CellCodings(const Coding& native);

  const Coding& native() const { return *native_; }
  const Coding& slc() const { return *slc_; }
  // Bit p of `valid_pages` tells that page p of the native coding is valid; some page is, and some is not.
  const Merging& merging(std::uint32_t valid_pages) const { return mergings_[valid_pages - 1]; }

 private:
  const Coding* native_;
  const Coding* slc_;
  std::vector<Merging> mergings_;
};

}  // namespace nandscape::nand
