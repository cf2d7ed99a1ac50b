// SPDX-License-Identifier: Apache-2.0
// A cyclic redundancy check beside the code (`ecc.crc_bits`). A decoder that is given more errors than it can correct
// may find another codeword than the one written. A CRC is linear: it misses the differences of payloads that have a
// CRC of 0, which are a share of 2^-bits of all.
//
// The polynomials are those of the guards of NVMe's protection information [NVM Command Set 1.0, section 5.2]:
//
//   16   CRC-16/T10-DIF       x^16 + x^15 + x^11 + x^9 + x^8 + x^7 + x^5 + x^4 + x^2 + x + 1   8BB7h
//   32   CRC-32C, Castagnoli                                                               1EDC6F41h
//   64   CRC-64/NVME                                                               AD93D23594C93659h
//
// Bits of a byte are taken from the lowest on. The register begins with zeroes, and is not inverted in the end, so that
// the CRC of a sum is the sum of the CRCs: a page of parity is the sum of other pages, CRCs and all. The CRC lies at
// the end of the room that the layout gives to the codeword in the spare bytes. As the tag there, it has a code of its
// own, and is read as it was written.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "protocol/page_layout.h"

namespace nandscape::ecc {

// Whether there is a CRC of that width: 16, 32 or 64 bits.
bool has_crc(std::uint32_t bits);
// The width of the widest CRC that fits into `bits`; 0 where none fits.
std::uint32_t widest_crc(std::uint32_t bits);

// The share of wrong payloads whose CRC of that width fits nevertheless, 2^-bits; 1 of 0 bits.
double crc_missed_share(std::uint32_t bits);

class PayloadCrc {
 public:
  // 0 bits are no CRC: every payload is taken for right. Throws std::invalid_argument where has_crc() is false.
  explicit PayloadCrc(std::uint32_t bits);

  std::uint32_t bytes() const { return bytes_; }
  double missed_share() const { return crc_missed_share(8 * bytes_); }
  std::uint64_t of(std::span<const std::byte> payload) const;

  // Puts the CRC of a codeword's payload into the page, and compares it with the one that the page holds.
  void write(const PageLayout& layout, std::uint32_t codeword, std::byte* page) const;
  bool fits(const PageLayout& layout, std::uint32_t codeword, const std::byte* page) const;

 private:
  // Eight bytes are taken at a time. By byte and its value: what it adds to the CRC.
  using Tables = std::array<std::array<std::uint64_t, 256>, 8>;
  static const Tables& tables_of(std::uint32_t bits);

  std::uint64_t of_codeword(const PageLayout& layout, std::uint32_t codeword, const std::byte* page) const;
  // Where the CRC of a codeword begins.
  std::uint32_t first_byte(const PageLayout& layout, std::uint32_t codeword) const {
    return layout.parity_byte(codeword + 1) - bytes_;
  }

  std::uint32_t bytes_;
  const Tables* tables_;  // null where there is no CRC
};

}  // namespace nandscape::ecc
