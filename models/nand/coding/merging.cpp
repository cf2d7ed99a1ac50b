// SPDX-License-Identifier: Apache-2.0
#include "nand/coding/merging.h"

#include <stdexcept>
#include <utility>

namespace nandscape::nand {

Merging merge(const Coding& coding, std::uint32_t valid_pages) {
  if (valid_pages >> coding.pages() != 0) throw std::invalid_argument("a page that the coding lacks cannot be valid");

  std::vector<std::optional<std::uint32_t>> new_page(coding.pages());
  std::uint32_t pages_left = 0;
  for (std::uint32_t page = 0; page < coding.pages(); ++page) {
    if (valid_pages >> page & 1) new_page[page] = pages_left++;
  }
  const auto merged_bits = [&](std::uint32_t state) {
    std::uint8_t bits = 0;
    for (std::uint32_t page = 0; page < coding.pages(); ++page) {
      if (new_page[page] && coding.bit(state, page)) bits |= static_cast<std::uint8_t>(1u << *new_page[page]);
    }
    return bits;
  };

  // For each combination of valid bits, finds the highest state with these bits. The loop ascends, so higher states
  // overwrite lower ones.
  std::vector<std::uint8_t> highest(std::size_t{1} << pages_left);
  for (std::uint32_t s = 0; s < coding.states(); ++s) highest[merged_bits(s)] = static_cast<std::uint8_t>(s);

  std::vector<std::uint8_t> target, kept, bits, places;
  for (std::uint32_t s = 0; s < coding.states(); ++s) {
    target.push_back(highest[merged_bits(s)]);
    if (target.back() != s) continue;
    kept.push_back(static_cast<std::uint8_t>(s));
    bits.push_back(merged_bits(s));
    places.push_back(static_cast<std::uint8_t>(coding.place(s)));
  }
  return {std::move(target), std::move(kept), std::move(new_page),
          Coding(pages_left, std::move(bits), std::move(places))};
}

CellCodings::CellCodings(const Coding& native) : native_(&native), slc_(&coding_named("slc")) {
  const std::uint32_t all_pages = (1u << native.pages()) - 1;
  for (std::uint32_t valid = 1; valid < all_pages; ++valid) mergings_.push_back(merge(native, valid));
}

}  // namespace nandscape::nand
