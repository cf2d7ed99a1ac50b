// SPDX-License-Identifier: Apache-2.0
// A cyclic redundancy check that is stored with each codeword (`ecc.crc_bits`). If a codeword has more errors than the
// code can correct, the decoder may find a codeword other than the one that was written. The CRC detects most of these
// cases. Since a CRC is linear, it misses a wrong payload only if the difference between the wrong and the right
// payload has a CRC of 0. This holds for a share of 2^-bits of all differences.
//
// The polynomials are those of the guards of NVMe's protection information [NVM Command Set 1.0, section 5.2]:
//
//   16   CRC-16/T10-DIF       x^16 + x^15 + x^11 + x^9 + x^8 + x^7 + x^5 + x^4 + x^2 + x + 1   8BB7h
//   32   CRC-32C, Castagnoli                                                               1EDC6F41h
//   64   CRC-64/NVME                                                               AD93D23594C93659h
//
// The bits of a byte are processed from the lowest to the highest. The register starts with zeros and is not inverted
// at the end, so the CRC of the XOR of several payloads is the XOR of their CRCs. This is needed for a page of parity,
// which is the XOR of other pages, including their CRCs. The CRC is stored at the end of the codeword's area in the
// spare bytes. Like the tag in the spare bytes, it is protected by a separate code, so the simulation reads it without
// errors.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "protocol/page_layout.h"

namespace nandscape::ecc {

// Returns true if there is a CRC of that width: 16, 32 or 64 bits.
bool has_crc(std::uint32_t bits);
// Returns the width of the widest CRC that fits into `bits`, or 0 if none fits.
std::uint32_t widest_crc(std::uint32_t bits);

// Returns the share of wrong payloads that a CRC of that width fails to detect. This is 2^-bits, and 1 if `bits` is 0.
double crc_missed_share(std::uint32_t bits);

class PayloadCrc {
 public:
  // If `bits` is 0, there is no CRC and every payload is accepted. Throws std::invalid_argument if `bits` is any other
  // value for which has_crc() is false.
  explicit PayloadCrc(std::uint32_t bits);

  std::uint32_t bytes() const { return bytes_; }
  double missed_share() const { return crc_missed_share(8 * bytes_); }
  std::uint64_t of(std::span<const std::byte> payload) const;

  // write() computes the CRC of a codeword's payload and stores it in the page. fits() computes the CRC again and
  // returns whether it equals the stored one.
  void write(const PageLayout& layout, std::uint32_t codeword, std::byte* page) const;
  [[nodiscard]] bool fits(const PageLayout& layout, std::uint32_t codeword, const std::byte* page) const;

 private:
  // The contribution of a byte to the CRC, indexed by the byte's position in a word of eight bytes and by its value.
  using Tables = std::array<std::array<std::uint64_t, 256>, 8>;
  static const Tables& tables_of(std::uint32_t bits);

  std::uint64_t of_codeword(const PageLayout& layout, std::uint32_t codeword, const std::byte* page) const;
  // The position of a codeword's CRC in the page, in bytes.
  std::uint32_t first_byte(const PageLayout& layout, std::uint32_t codeword) const {
    return layout.parity_byte(codeword + 1) - bytes_;
  }

  std::uint32_t bytes_;
  const Tables* tables_;  // null without a CRC
};

}  // namespace nandscape::ecc
