// SPDX-License-Identifier: Apache-2.0
#include "ecc/codes/payload_crc.h"

#include <stdexcept>
#include <string_view>
#include <vector>

#include "catch.h"
#include "core/random.h"

namespace nandscape::ecc {
namespace {

std::vector<std::byte> bytes_of(std::string_view text) {
  std::vector<std::byte> bytes;
  for (const char c : text) bytes.push_back(static_cast<std::byte>(c));
  return bytes;
}

std::vector<std::byte> some_bytes(std::size_t size, RandomStream& random) {
  std::vector<std::byte> bytes(size);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random() & 0xff);
  return bytes;
}

// Computes the CRC bit by bit from the polynomial.
std::uint64_t bit_by_bit(std::uint64_t reversed, const std::vector<std::byte>& bytes) {
  std::uint64_t crc = 0;
  for (const std::byte byte : bytes) {
    for (int bit = 0; bit < 8; ++bit) {
      const bool flows_out = ((crc ^ (std::to_integer<std::uint64_t>(byte) >> bit)) & 1) != 0;
      crc = crc >> 1 ^ (flows_out ? reversed : 0);
    }
  }
  return crc;
}

std::uint64_t reversed_bits(std::uint64_t value, int bits) {
  std::uint64_t turned = 0;
  for (int bit = 0; bit < bits; ++bit) turned |= (value >> bit & 1) << (bits - 1 - bit);
  return turned;
}

// Inverts the first `count` bytes. The published CRCs preset their register to ones, which is equivalent to a register
// of zeros and a message whose first bits are inverted.
std::vector<std::byte> inverted(std::vector<std::byte> bytes, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) bytes[k] = ~bytes[k];
  return bytes;
}

TEST_CASE("the published check values of the CRCs are reproduced") {
  const std::vector<std::byte> digits = bytes_of("123456789");
  CHECK((PayloadCrc(32).of(inverted(digits, 4)) ^ 0xffffffff) == 0xe3069283);  // CRC-32C
  CHECK(~PayloadCrc(64).of(inverted(digits, 8)) == 0xae8b14860a799888);        // CRC-64/NVME
  std::vector<std::byte> turned;
  for (const std::byte byte : digits) {
    turned.push_back(static_cast<std::byte>(reversed_bits(std::to_integer<std::uint64_t>(byte), 8)));
  }
  CHECK(reversed_bits(PayloadCrc(16).of(turned), 16) == 0xd0db);  // CRC-16/T10-DIF takes the highest bit first
}

TEST_CASE("words of eight bytes give the same result as single bits, for any length") {
  RandomStream random(1, "crc");
  for (std::size_t size = 0; size < 40; ++size) {
    const std::vector<std::byte> bytes = some_bytes(size, random);
    CHECK(PayloadCrc(16).of(bytes) == bit_by_bit(reversed_bits(0x8bb7, 16), bytes));
    CHECK(PayloadCrc(32).of(bytes) == bit_by_bit(reversed_bits(0x1edc6f41, 32), bytes));
    CHECK(PayloadCrc(64).of(bytes) == bit_by_bit(reversed_bits(0xad93d23594c93659, 64), bytes));
  }
}

TEST_CASE("the CRC of a sum is the sum of the CRCs, as parity pages need") {
  RandomStream random(2, "crc");
  const std::vector<std::byte> one = some_bytes(1024, random), other = some_bytes(1024, random);
  std::vector<std::byte> sum = one;
  for (std::size_t k = 0; k < sum.size(); ++k) sum[k] ^= other[k];
  for (const std::uint32_t bits : {16u, 32u, 64u}) {
    const PayloadCrc crc(bits);
    CHECK(crc.of(sum) == (crc.of(one) ^ crc.of(other)));
  }
}

TEST_CASE("a share of 2^-16 of wrong payloads has the same 16-bit CRC") {
  const PayloadCrc crc(16);
  RandomStream random(3, "crc");
  constexpr int payloads = 1 << 20;
  int alike = 0;
  for (int k = 0; k < payloads; ++k) alike += crc.of(some_bytes(16, random)) == 0;
  // The expected number is 16. A Poisson variable with this mean is outside these limits only once in 10,000 cases.
  CHECK(alike >= 4);
  CHECK(alike <= 33);
}

TEST_CASE("a CRC is at the end of its codeword's room, and detects a changed payload") {
  const PageLayout layout{4096, 256, 1024, 40, 8 * 1024 + 8 * 30};
  RandomStream random(4, "crc");
  for (const std::uint32_t bits : {16u, 32u, 64u}) {
    const PayloadCrc crc(bits);
    std::vector<std::byte> page = some_bytes(4096 + 256, random);
    const std::vector<std::byte> before = page;
    crc.write(layout, 2, page.data());
    for (std::uint32_t k = 0; k < page.size(); ++k) {
      if (k < layout.parity_byte(3) - bits / 8 || k >= layout.parity_byte(3)) CHECK(page[k] == before[k]);
    }
    CHECK(crc.fits(layout, 2, page.data()));
    page[2 * 1024 + 17] ^= std::byte{4};
    CHECK_FALSE(crc.fits(layout, 2, page.data()));
  }
}

TEST_CASE("no CRC accepts every payload, and an unsupported width is an error") {
  const PayloadCrc none(0);
  CHECK(none.bytes() == 0);
  std::vector<std::byte> page(4096 + 256, std::byte{1});
  CHECK(none.fits({4096, 256, 1024, 40, 8 * 1024}, 0, page.data()));
  CHECK(has_crc(16));
  CHECK_FALSE(has_crc(24));
  CHECK(widest_crc(15) == 0);
  CHECK(widest_crc(31) == 16);
  CHECK(widest_crc(100) == 64);
  CHECK_THROWS_AS(PayloadCrc(24), std::invalid_argument);
}

}  // namespace
}  // namespace nandscape::ecc
