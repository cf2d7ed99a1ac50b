// SPDX-License-Identifier: Apache-2.0
// Finds misread bits of a page: the cells flip them in a page of zeros.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "catch.h"
#include "cell_devices.h"

namespace nandscape::nand {

// Pages of 4096 bytes whose parity ends within a byte and leaves spare bytes over.
inline PageLayout odd_layout() { return {4096, 512, 1024, 113, 8 * 1024 + 899}; }

// Returns the number of set bits in the codeword, and clears them.
inline std::uint32_t take_bits(std::vector<std::byte>& page, const PageLayout& layout, std::uint32_t codeword) {
  std::uint32_t set = 0;
  for (std::uint32_t bit = 0; bit < layout.codeword_bits; ++bit) {
    const std::uint32_t at = layout.page_bit(codeword, bit);
    const std::byte mask = std::byte{1} << at % 8;
    set += (page[at / 8] & mask) != std::byte{0};
    page[at / 8] &= ~mask;
  }
  return set;
}

// Senses a whole page into zeros, and then two codewords of it.
template <class Cells>
void flips_what_it_counts() {
  const PageLayout layout = odd_layout();
  const CellDevice device(small_die(), layout);
  Cells cells(device, 5, "die");
  std::uint32_t in_parity = 0;
  for (const std::uint32_t first : {0u, 1u}) {
    for (std::uint32_t wordline = 0; wordline < 8; ++wordline) {
      const std::uint32_t codewords = first == 0 ? layout.codewords() : 2;
      std::vector<std::byte> page(layout.total_bytes());
      std::vector<std::uint16_t> counts(codewords);
      SenseOrder order = whole_page(device, {BlockInDie(1), wordline}, 1);
      order.first_byte = layout.payload_byte(first);
      order.bytes = codewords * layout.codeword_bytes;
      order.data = page.data();
      order.codeword_errors = counts;
      const SenseResult result = cells.sense(order, 0);

      for (std::uint32_t codeword = 0; codeword < codewords; ++codeword) {
        for (std::uint32_t k = 0; k < layout.parity_bytes; ++k) {
          in_parity += page[layout.parity_byte(first + codeword) + k] != std::byte{0};
        }
      }
      std::uint32_t total = 0;
      std::uint32_t worst = 0;
      for (std::uint32_t codeword = 0; codeword < codewords; ++codeword) {
        CHECK(counts[codeword] > 0);
        CHECK(take_bits(page, layout, first + codeword) == counts[codeword]);
        total += counts[codeword];
        worst = std::max<std::uint32_t>(worst, counts[codeword]);
      }
      CHECK(result.raw_bit_errors == total);
      CHECK(result.worst_codeword_errors == worst);
      // The remaining bytes hold no bits of these codewords, except for padding, which is cleared here.
      for (std::uint32_t codeword = first; codeword < first + codewords; ++codeword) {
        page[layout.parity_byte(codeword) + layout.parity_bytes - 1] = {};
      }
      CHECK(std::ranges::all_of(page, [](std::byte byte) { return byte == std::byte{}; }));
    }
  }
  CHECK(in_parity > 0);
}

}  // namespace nandscape::nand
