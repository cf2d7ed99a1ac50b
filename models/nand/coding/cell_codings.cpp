// SPDX-License-Identifier: Apache-2.0
#include "nand/coding/cell_codings.h"

namespace nandscape::nand {

CellCodings::CellCodings(const Coding& native) : native_(&native), slc_(&coding_named("slc")) {
  const std::uint32_t all_pages = (1u << native.pages()) - 1;
  for (std::uint32_t valid = 1; valid < all_pages; ++valid) mergings_.push_back(merge(native, valid));
}

}  // namespace nandscape::nand
