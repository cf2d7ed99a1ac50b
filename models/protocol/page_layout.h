// SPDX-License-Identifier: Apache-2.0
// Where the codewords of a page lie: their payloads follow one another in the data bytes, their parities in the spare
// bytes behind them. Bit i of a page lies in bit i % 8 of byte i / 8.
#pragma once

#include <cstdint>

namespace nandscape {

struct PageLayout {
  std::uint32_t page_bytes = 0;
  std::uint32_t spare_bytes = 0;
  std::uint32_t codeword_bytes = 0;  // payload of each codeword; the page is a whole number of them
  std::uint32_t parity_bytes = 0;    // room of each codeword there: its parity, what lies unused, its CRC at the end
  std::uint32_t codeword_bits = 0;   // that a codeword is read by: payload and parity, without padding

  // Where no code says how much parity there is, codewords share all of the spare bytes.
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
  // Of the page, where bit `bit` of a codeword lies.
  std::uint32_t page_bit(std::uint32_t codeword, std::uint32_t bit) const {
    const std::uint32_t payload_bits = 8 * codeword_bytes;
    return bit < payload_bits ? 8 * payload_byte(codeword) + bit : 8 * parity_byte(codeword) + bit - payload_bits;
  }
};

}  // namespace nandscape
