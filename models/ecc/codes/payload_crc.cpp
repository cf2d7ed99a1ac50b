// SPDX-License-Identifier: Apache-2.0
#include "ecc/codes/payload_crc.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace nandscape::ecc {

namespace {

struct Polynomial {
  std::uint32_t bits;
  std::uint64_t reversed;  // coefficients with x^0 as the highest bit; the term x^bits is left out
};
constexpr Polynomial polynomials[] = {{16, 0xedd1}, {32, 0x82f63b78}, {64, 0x9a6c9329ac4bc9b5}};

constexpr std::size_t word_bytes = 8;

std::uint64_t word_at(const std::byte* bytes) {
  std::uint64_t word = 0;
  for (std::size_t k = 0; k < word_bytes; ++k) word |= std::to_integer<std::uint64_t>(bytes[k]) << 8 * k;
  return word;
}

}  // namespace

bool has_crc(std::uint32_t bits) {
  return std::ranges::any_of(polynomials, [bits](const Polynomial& p) { return p.bits == bits; });
}

std::uint32_t widest_crc(std::uint32_t bits) {
  std::uint32_t widest = 0;
  for (const Polynomial& p : polynomials) {
    if (p.bits <= bits) widest = std::max(widest, p.bits);
  }
  return widest;
}

double crc_missed_share(std::uint32_t bits) { return std::exp2(-static_cast<double>(bits)); }

const PayloadCrc::Tables& PayloadCrc::tables_of(std::uint32_t bits) {
  static const auto all = [] {
    std::array<Tables, std::size(polynomials)> made{};
    for (std::size_t p = 0; p < made.size(); ++p) {
      Tables& tables = made[p];
      for (std::uint64_t byte = 0; byte < 256; ++byte) {
        std::uint64_t rest = byte;
        for (int bit = 0; bit < 8; ++bit) rest = rest >> 1 ^ (rest & 1) * polynomials[p].reversed;
        tables[0][byte] = rest;
      }
      for (std::size_t k = 1; k < tables.size(); ++k) {
        for (std::size_t byte = 0; byte < 256; ++byte) {
          const std::uint64_t before = tables[k - 1][byte];
          tables[k][byte] = before >> 8 ^ tables[0][before & 0xff];
        }
      }
    }
    return made;
  }();
  for (std::size_t p = 0; p < all.size(); ++p) {
    if (polynomials[p].bits == bits) return all[p];
  }
  throw std::invalid_argument("there is no CRC of " + std::to_string(bits) + " bits; there are 16, 32 and 64");
}

PayloadCrc::PayloadCrc(std::uint32_t bits) : bytes_(bits / 8), tables_(bits == 0 ? nullptr : &tables_of(bits)) {}

std::uint64_t PayloadCrc::of(std::span<const std::byte> payload) const {
  if (tables_ == nullptr) return 0;
  const Tables& tables = *tables_;
  std::uint64_t crc = 0;
  for (; payload.size() >= word_bytes; payload = payload.subspan(word_bytes)) {
    const std::uint64_t word = word_at(payload.data()) ^ crc;
    crc = 0;
    for (std::size_t k = 0; k < word_bytes; ++k) crc ^= tables[word_bytes - 1 - k][word >> 8 * k & 0xff];
  }
  for (const std::byte byte : payload) crc = crc >> 8 ^ tables[0][(crc ^ std::to_integer<std::uint64_t>(byte)) & 0xff];
  return crc;
}

std::uint64_t PayloadCrc::of_codeword(const PageLayout& layout, std::uint32_t codeword, const std::byte* page) const {
  return of({page + layout.payload_byte(codeword), layout.codeword_bytes});
}

void PayloadCrc::write(const PageLayout& layout, std::uint32_t codeword, std::byte* page) const {
  const std::uint64_t crc = of_codeword(layout, codeword, page);
  std::byte* const at = page + first_byte(layout, codeword);
  for (std::uint32_t k = 0; k < bytes_; ++k) at[k] = static_cast<std::byte>(crc >> 8 * k & 0xff);
}

bool PayloadCrc::fits(const PageLayout& layout, std::uint32_t codeword, const std::byte* page) const {
  if (tables_ == nullptr) return true;
  std::uint64_t written = 0;
  const std::byte* const at = page + first_byte(layout, codeword);
  for (std::uint32_t k = 0; k < bytes_; ++k) written |= std::to_integer<std::uint64_t>(at[k]) << 8 * k;
  return written == of_codeword(layout, codeword, page);
}

}  // namespace nandscape::ecc
