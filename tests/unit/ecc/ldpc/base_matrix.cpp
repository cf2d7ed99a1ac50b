// SPDX-License-Identifier: Apache-2.0
#include "ecc/ldpc/base_matrix.h"

#include <algorithm>
#include <bit>
#include <set>
#include <utility>

#include "catch.h"
#include "ecc/ldpc/construct/construction.h"

namespace nandscape::ecc::ldpc {
namespace {

// Counts short cycles independently of short_cycles(), which uses differences of shifts. Walks over the bits and checks
// of the whole graph, starting at one check of each block row.
ShortCycles walked_cycles(const BaseMatrix& matrix) {
  using Place = std::pair<std::uint32_t, std::uint32_t>;  // block row or block column, and the position in it
  const std::uint32_t mask = matrix.lifting - 1;
  const auto bits_of = [&](Place check) {
    std::vector<Place> bits;
    for (const Block& b : matrix.blocks) {
      if (b.row == check.first) bits.push_back({b.column, (check.second + b.shift) & mask});
    }
    return bits;
  };
  const auto checks_of = [&](Place bit) {
    std::vector<Place> checks;
    for (const Block& b : matrix.blocks) {
      if (b.column == bit.first) checks.push_back({b.row, (bit.second - b.shift) & mask});
    }
    return checks;
  };
  ShortCycles walks;  // each cycle of 4 edges is found from each of its two checks, in both directions
  for (std::uint32_t row = 0; row < matrix.rows; ++row) {
    const Place start{row, 0};
    const std::vector<Place> start_bits = bits_of(start);
    for (const Place& first : start_bits) {
      for (const Place& check : checks_of(first)) {
        if (check == start) continue;
        for (const Place& second : bits_of(check)) {
          if (second == first) continue;
          walks.of_4 += static_cast<std::uint64_t>(std::count(start_bits.begin(), start_bits.end(), second));
        }
      }
    }
  }
  return {walks.of_4 / 4, 0};
}

TEST_CASE("matrices have no cycles of 4 edges, and few or none of 6") {
  for (const BaseMatrix& matrix : base_matrices()) {
    INFO(matrix.information_bytes() << " bytes with " << matrix.parity_bytes());
    const ShortCycles cycles = short_cycles(matrix);
    CHECK(cycles.of_4 == 0);
    if (matrix.rows >= 16) CHECK(cycles.of_6 == 0);
    CHECK(walked_cycles(matrix).of_4 == 0);
  }
}

TEST_CASE("cycles are found") {
  // In the first matrix, two columns with equal differences of shifts form a cycle of 4 edges. In the second, three
  // columns connect three rows and form a cycle of 6 edges.
  const std::vector<Block> square = {{0, 0, 5}, {0, 1, 9}, {1, 0, 62}, {1, 1, 2}};
  CHECK(short_cycles({2, 2, 64, square}).of_4 == 1);
  CHECK(walked_cycles({2, 2, 64, square}).of_4 == 1);
  const std::vector<Block> triangle = {{0, 0, 5}, {0, 1, 9}, {1, 1, 1}, {1, 2, 11}, {2, 0, 60}, {2, 2, 10}};
  CHECK(short_cycles({3, 3, 64, triangle}).of_6 == 1);
  std::vector<Block> open = triangle;
  open.back().shift = 11;
  CHECK(short_cycles({3, 3, 64, open}).of_6 == 0);
}

TEST_CASE("matrices have full rank, a triangular part and evenly filled rows") {
  for (const BaseMatrix& matrix : base_matrices()) {
    INFO(matrix.information_bytes() << " bytes with " << matrix.parity_bytes());
    CHECK(parity_is_determined(matrix));
    CHECK(std::has_single_bit(matrix.lifting));
    CHECK(matrix.lifting <= most_lifting);
    CHECK(matrix.rows <= most_rows);
    std::vector<int> weights(matrix.columns());
    std::vector<int> degrees(matrix.rows);
    std::set<std::pair<int, int>> places;
    for (const Block& block : matrix.blocks) {
      ++weights.at(block.column);
      ++degrees.at(block.row);
      CHECK(block.shift < matrix.lifting);
      CHECK(places.insert({block.column, block.row}).second);
      const std::uint32_t parity = block.column - matrix.information_columns;
      if (block.column < matrix.information_columns || parity >= matrix.rows - gap) continue;
      CHECK(block.row >= parity);
      if (weights[block.column] == 1) CHECK((block.row == parity && block.shift == 0));
    }
    CHECK(std::count(weights.begin(), weights.end(), most_blocks_of_column) == matrix.columns() - 1);
    CHECK(std::count(weights.begin(), weights.end(), most_blocks_of_column - 1) == 1);
    const auto [least, most] = std::minmax_element(degrees.begin(), degrees.end());
    CHECK(*most - *least <= 1);
    CHECK(*most <= static_cast<int>(most_blocks_of_row));
  }
}

TEST_CASE("rows of even weight do not determine their parity") {
  const std::vector<Block> blocks = {{1, 0, 0}, {1, 1, 0}, {2, 0, 1}, {2, 1, 7}};
  CHECK_FALSE(parity_is_determined({1, 2, 64, blocks}));
}

TEST_CASE("the construction program reproduces a shipped matrix") {
  const std::vector<Block> blocks = construct({64, 8, 256, 3, 12});
  const auto shipped = base_matrices();
  const auto same = std::find_if(shipped.begin(), shipped.end(), [](const BaseMatrix& matrix) {
    return matrix.information_bytes() == 2048 && matrix.parity_bytes() == 256;
  });
  REQUIRE(same != shipped.end());
  CHECK(std::equal(blocks.begin(), blocks.end(), same->blocks.begin(), same->blocks.end()));
}

}  // namespace
}  // namespace nandscape::ecc::ldpc
