// SPDX-License-Identifier: Apache-2.0
// Counts the bits that a read flips in the page buffer. The buffer contains only zeros, so every 1 is a misread bit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "catch.h"
#include "cell_devices.h"

namespace nandscape::nand {

// Returns a layout with pages of 4096 bytes. The parity of a codeword ends within a byte, and some spare bytes are
// unused.
inline PageLayout odd_layout() { return {4096, 512, 1024, 113, 8 * 1024 + 899}; }

// Returns the number of bits of the codeword that are 1, and clears these bits.
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

// Checks that the cells flip as many bits as they count. Senses a whole page into a buffer of zeros, and then two
// codewords of the page.
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
      // No other bytes may contain errors. The last parity byte of each codeword contains padding bits, and is cleared
      // first.
      for (std::uint32_t codeword = first; codeword < first + codewords; ++codeword) {
        page[layout.parity_byte(codeword) + layout.parity_bytes - 1] = {};
      }
      CHECK(std::ranges::all_of(page, [](std::byte byte) { return byte == std::byte{}; }));
    }
  }
  CHECK(in_parity > 0);
}

}  // namespace nandscape::nand
