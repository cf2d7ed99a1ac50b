// SPDX-License-Identifier: Apache-2.0
#include "ecc/page_coders/scrambler.h"

#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include "catch.h"

namespace nandscape::ecc {
namespace {

using Bytes = std::vector<std::byte>;

Bytes scrambled(std::uint64_t seed, std::uint32_t first_byte, Bytes bytes) {
  scramble(seed, first_byte, bytes);
  return bytes;
}

int ones(const Bytes& bytes) {
  int count = 0;
  for (const std::byte b : bytes) count += std::popcount(std::to_integer<unsigned>(b));
  return count;
}

TEST_CASE("scrambling twice restores the bytes") {
  Bytes page(16384);
  for (std::size_t k = 0; k < page.size(); ++k) page[k] = static_cast<std::byte>(k * 7 & 0xff);
  CHECK(scrambled(5, 0, page) != page);
  CHECK(scrambled(5, 0, scrambled(5, 0, page)) == page);
}

TEST_CASE("a part of a page is scrambled as within the whole page") {
  const Bytes whole = scrambled(17, 0, Bytes(4096));
  for (const std::uint32_t first : {0u, 1u, 3u, 511u, 512u, 700u, 1024u}) {
    for (const std::uint32_t count : {1u, 2u, 5u, 512u, 1500u}) {
      const Bytes part = scrambled(17, first, Bytes(count));
      CHECK(std::equal(part.begin(), part.end(), whole.begin() + first));
    }
  }
}

// Each bit of the sequence must be the XOR of the bits that are 58 and 39 positions before it, until the register
// restarts.
TEST_CASE("the sequence follows the polynomial") {
  const Bytes sequence = scrambled(3, 0, Bytes(512));
  const auto bit = [&](std::size_t k) { return std::to_integer<unsigned>(sequence[k / 8]) >> k % 8 & 1; };
  for (std::size_t k = 58; k < 4096; ++k) REQUIRE(bit(k) == (bit(k - 58) ^ bit(k - 39)));
}

TEST_CASE("any page looks random, and no page looks like another") {
  const auto bits = 8.0 * 16384;
  const double four_deviations = 4 * std::sqrt(bits) / 2;
  for (const int value : {0x00, 0xff, 0x55}) {
    const Bytes plain(16384, static_cast<std::byte>(value));
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Bytes page = scrambled(seed, 0, plain);
      CHECK(std::abs(ones(page) - bits / 2) < four_deviations);
      // Pages with consecutive seeds, which are stored in neighbouring wordlines, must differ in half of their bits.
      Bytes difference = scrambled(seed + 1, 0, page);
      for (std::size_t k = 0; k < difference.size(); ++k) difference[k] ^= plain[k];
      CHECK(std::abs(ones(difference) - bits / 2) < four_deviations);
    }
  }
}

// A three-bit cell stores one bit from each of three pages. All of its eight states must be equally likely.
TEST_CASE("states of cells are equally likely under equal pages") {
  std::array<int, 8> count{};
  constexpr int bytes = 16384;
  std::array<Bytes, 3> pages;
  for (std::uint64_t k = 0; k < 3; ++k) pages[k] = scrambled(1000 + k, 0, Bytes(bytes));
  for (std::size_t cell = 0; cell < 8u * bytes; ++cell) {
    unsigned state = 0;
    for (const Bytes& page : pages) state = 2 * state + (std::to_integer<unsigned>(page[cell / 8]) >> cell % 8 & 1);
    ++count[state];
  }
  const double expected = bytes;
  double chi_squared = 0;
  for (const int n : count) chi_squared += (n - expected) * (n - expected) / expected;
  CHECK(chi_squared < 24.3);  // 7 degrees of freedom, 1e-3
}

}  // namespace
}  // namespace nandscape::ecc
