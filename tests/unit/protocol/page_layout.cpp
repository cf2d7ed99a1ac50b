// SPDX-License-Identifier: Apache-2.0
#include "protocol/page_layout.h"

#include <vector>

#include "catch.h"

namespace nandscape {
namespace {

// A layout in which each codeword uses only three bits of its last byte of parity, and four spare bytes are unused.
constexpr PageLayout odd{4096, 132, 1024, 32, 8 * 1024 + 251};

TEST_CASE("payloads are stored one after the other, followed by their parities") {
  CHECK(odd.codewords() == 4);
  CHECK(odd.payload_byte(3) == 3072);
  CHECK(odd.parity_byte(0) == 4096);
  CHECK(odd.parity_byte(3) == 4096 + 96);
  CHECK(odd.page_bit(2, 0) == 8 * 2048);
  CHECK(odd.page_bit(2, 8 * 1024 - 1) == 8 * 3072 - 1);
  CHECK(odd.page_bit(2, 8 * 1024) == 8 * (4096 + 64));
  CHECK(odd.page_bit(3, odd.codeword_bits - 1) == 8 * (4096 + 96) + 250);
}

// If no code determines the amount of parity, the spare bytes are divided by the number of codewords. Bits that this
// division leaves over may be counted for two codewords, but no bit may be outside of the page.
TEST_CASE("each bit of each codeword has its own place in the page") {
  const PageLayout shared = PageLayout::sharing_spare(4096, 130, 1024);
  CHECK(shared.parity_bytes == 32);
  CHECK(shared.codeword_bits == 8 * 1024 + 260);
  for (const PageLayout& layout : {odd, shared}) {
    std::vector<int> uses(8 * layout.total_bytes());
    for (std::uint32_t codeword = 0; codeword < layout.codewords(); ++codeword) {
      for (std::uint32_t bit = 0; bit < layout.codeword_bits; ++bit) ++uses.at(layout.page_bit(codeword, bit));
    }
    int twice = 0;
    for (const int use : uses) twice += use > 1;
    CHECK(twice == (layout.codeword_bits > 8 * (layout.codeword_bytes + layout.parity_bytes) ? 3 * 4 : 0));
  }
}

}  // namespace
}  // namespace nandscape
