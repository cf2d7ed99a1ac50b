// SPDX-License-Identifier: Apache-2.0
// A cyclic redundancy check beside the code (`ecc.crc_bits`). A decoder that meets more errors than it can correct may
// find a codeword other than the one written. A CRC is linear: it misses a wrong payload if the difference from the
// right one has a CRC of 0. A share of 2^-bits of all differences has a CRC of 0.
//
// The polynomials are those of the guards of NVMe's protection information [NVM Command Set 1.0, section 5.2]:
//
//   16   CRC-16/T10-DIF       x^16 + x^15 + x^11 + x^9 + x^8 + x^7 + x^5 + x^4 + x^2 + x + 1   8BB7h
//   32   CRC-32C, Castagnoli                                                               1EDC6F41h
//   64   CRC-64/NVME                                                               AD93D23594C93659h
//
// The bits of a byte enter from the lowest onward. The register starts with zeros and is not inverted at the end, so
// the CRC of a sum is the sum of the CRCs: a page of parity is the sum of other pages, including their CRCs. The CRC
// lies at the end of the codeword's area in the spare bytes. Like the tag there, it has a code of its own and is read
// without errors.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "protocol/page_layout.h"

namespace nandscape::ecc {

// Whether there is a CRC of that width: 16, 32 or 64 bits.
bool has_crc(std::uint32_t bits);
// The width of the widest CRC that fits into `bits`; 0 if none fits.
std::uint32_t widest_crc(std::uint32_t bits);

// The share of wrong payloads that a CRC of that width misses, 2^-bits; 1 for 0 bits.
double crc_missed_share(std::uint32_t bits);

class PayloadCrc {
 public:
  // With 0 bits there is no CRC, and every payload is accepted. Throws std::invalid_argument for any other width for
  // which has_crc() is false.
  explicit PayloadCrc(std::uint32_t bits);

  std::uint32_t bytes() const { return bytes_; }
  double missed_share() const { return crc_missed_share(8 * bytes_); }
  std::uint64_t of(std::span<const std::byte> payload) const;

  // write() stores the CRC of a codeword's payload in the page; fits() computes the CRC again and compares it with the
  // stored one.
  void write(const PageLayout& layout, std::uint32_t codeword, std::byte* page) const;
  [[nodiscard]] bool fits(const PageLayout& layout, std::uint32_t codeword, const std::byte* page) const;

 private:
  // Contribution of a byte to the CRC, by the byte's place in a word of eight bytes and by its value.
  using Tables = std::array<std::array<std::uint64_t, 256>, 8>;
  static const Tables& tables_of(std::uint32_t bits);

  std::uint64_t of_codeword(const PageLayout& layout, std::uint32_t codeword, const std::byte* page) const;
  // Where the CRC of a codeword begins.
  std::uint32_t first_byte(const PageLayout& layout, std::uint32_t codeword) const {
    return layout.parity_byte(codeword + 1) - bytes_;
  }

  std::uint32_t bytes_;
  const Tables* tables_;  // null without a CRC
};

}  // namespace nandscape::ecc
