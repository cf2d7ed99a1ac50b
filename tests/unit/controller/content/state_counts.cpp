// SPDX-License-Identifier: Apache-2.0
#include "controller/content/cell_states.h"

#include <array>
#include <stdexcept>
#include <vector>

#include "catch.h"
#include "unit/controller/content/random_pages.h"

namespace nandscape::controller {
namespace {

using enum CellState;

// Counts the states cell by cell.
StateCounts counted(const std::vector<std::byte>& lsb, const std::vector<std::byte>& msb, std::size_t first,
                    std::size_t bytes) {
  StateCounts counts;
  for (std::size_t bit = 8 * first; bit < 8 * (first + bytes); ++bit) {
    const bool left = std::to_integer<unsigned>(msb[bit / 8]) >> bit % 8 & 1;
    const bool right = std::to_integer<unsigned>(lsb[bit / 8]) >> bit % 8 & 1;
    ++counts[left ? (right ? s11 : s10) : (right ? s01 : s00)];
  }
  return counts;
}

TEST_CASE("content: cells of a wordline are counted by state, whatever the size of its pages") {
  for (const std::size_t bytes : {0u, 1u, 7u, 8u, 9u, 63u, 4096u}) {
    CAPTURE(bytes);
    const auto lsb = random_page(bytes, 1), msb = random_page(bytes, 2);
    const StateCounts counts = count_states(lsb, msb);
    CHECK(counts == counted(lsb, msb, 0, bytes));
    CHECK(counts.total() == 8 * bytes);
  }
}

TEST_CASE("content: the left digit of a state is the MSB page's bit") {
  const std::array ones{std::byte{0xff}}, noughts{std::byte{0}};
  CHECK(count_states(ones, ones)[s11] == 8);
  CHECK(count_states(noughts, ones)[s10] == 8);
  CHECK(count_states(ones, noughts)[s01] == 8);
  CHECK(count_states(noughts, noughts)[s00] == 8);
}

TEST_CASE("content: segments are counted separately, and add up to the page") {
  const auto lsb = random_page(4096, 3), msb = random_page(4096, 4);
  for (const std::size_t number : {1u, 2u, 8u, 32u}) {
    std::vector<StateCounts> segments(number);
    count_segments(lsb, msb, segments);
    StateCounts all;
    for (std::size_t s = 0; s < number; ++s) {
      CHECK(segments[s] == counted(lsb, msb, s * 4096 / number, 4096 / number));
      all += segments[s];
    }
    CHECK(all == count_states(lsb, msb));
  }
}

TEST_CASE("content: neighbouring bits of a file are symbols of four states") {
  // The first byte contains the symbols 00 01 10 11, the second 11 11 10 00, and the third 01 01 01 01.
  const std::array bytes{std::byte{0b00011011}, std::byte{0b11111000}, std::byte{0b01010101}};
  const StateCounts counts = count_symbols(bytes);
  CHECK(counts[s11] == 3);
  CHECK(counts[s10] == 2);
  CHECK(counts[s01] == 5);
  CHECK(counts[s00] == 2);
  CHECK(count_symbols(random_page(4096, 5)).total() == 16384);
}

TEST_CASE("content: shares and counts convert into each other") {
  const StateCounts counts{{{1, 2, 3, 4}}};
  CHECK(counts.shares()[s00] == 0.4);
  CHECK(counts_of(counts.shares(), 10) == counts);
  CHECK(counts_of(counts.shares(), 7).total() == 7);
  CHECK(StateCounts{}.shares().total() == 0);
}

TEST_CASE("content: pages of different or indivisible sizes are refused") {
  const auto page = random_page(16, 1);
  std::vector<StateCounts> segments(3);
  CHECK_THROWS_AS(count_states(page, random_page(8, 1)), std::invalid_argument);
  CHECK_THROWS_AS(count_segments(page, page, segments), std::invalid_argument);
  segments.resize(2);
  CHECK_THROWS_AS(count_segments(page, random_page(14, 1), segments), std::invalid_argument);
  CHECK_THROWS_AS(count_segments(page, page, {}), std::invalid_argument);
}

}  // namespace
}  // namespace nandscape::controller
