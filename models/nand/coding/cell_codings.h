// SPDX-License-Identifier: Apache-2.0
// The possible codings of a die's wordlines: the native coding, SLC mode, and the merged codings after a voltage
// adjustment of a wordline with invalid pages.
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
  // Bit p of `valid_pages` is set if page p of the native coding is valid; at least one page must be valid, and one
  // invalid.
  const Merging& merging(std::uint32_t valid_pages) const { return mergings_[valid_pages - 1]; }

 private:
  const Coding* native_;
  const Coding* slc_;
  std::vector<Merging> mergings_;
};

}  // namespace nandscape::nand
