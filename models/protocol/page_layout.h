// SPDX-License-Identifier: Apache-2.0
// The positions of the codewords in a page. The payloads are adjacent in the data bytes, and the parities are adjacent
// in the spare bytes after the data. Bit i of a page is bit i % 8 of byte i / 8.
#pragma once

#include <cstdint>

namespace nandscape {

struct PageLayout {
  std::uint32_t page_bytes = 0;
  std::uint32_t spare_bytes = 0;
  std::uint32_t codeword_bytes = 0;  // payload of each codeword; divides page_bytes
  std::uint32_t parity_bytes = 0;    // spare bytes of each codeword: parity, unused bytes, and a CRC at the end
  std::uint32_t codeword_bits = 0;   // bits of a codeword that are read: payload and parity, without padding

  // Returns the layout for a device without a code that determines the amount of parity. The codewords share all spare
  // bytes equally.
  static PageLayout sharing_spare(std::uint32_t page_bytes, std::uint32_t spare_bytes, std::uint32_t codeword_bytes) {
    const auto of_page = std::uint64_t{page_bytes} + spare_bytes;
    return {page_bytes, spare_bytes, codeword_bytes, spare_bytes / (page_bytes / codeword_bytes),
            static_cast<std::uint32_t>(8 * of_page * codeword_bytes / page_bytes)};
  }

  std::uint32_t codewords() const { return page_bytes / codeword_bytes; }
  std::uint32_t total_bytes() const { return page_bytes + spare_bytes; }
  double bits_per_byte() const { return static_cast<double>(codeword_bits) / codeword_bytes; }

  std::uint32_t payload_byte(std::uint32_t codeword) const { return codeword * codeword_bytes; }
  std::uint32_t parity_byte(std::uint32_t codeword) const { return page_bytes + codeword * parity_bytes; }
  // Returns the position in the page, in bits, of bit `bit` of a codeword.
  std::uint32_t page_bit(std::uint32_t codeword, std::uint32_t bit) const {
    const std::uint32_t payload_bits = 8 * codeword_bytes;
    return bit < payload_bits ? 8 * payload_byte(codeword) + bit : 8 * parity_byte(codeword) + bit - payload_bits;
  }
};

}  // namespace nandscape
