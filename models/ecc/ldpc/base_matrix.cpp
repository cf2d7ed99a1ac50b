// SPDX-License-Identifier: Apache-2.0
#include "ecc/ldpc/base_matrix.h"

#include <algorithm>
#include <array>

namespace nandscape::ecc::ldpc {

namespace {

// For each pair of rows of blocks: the columns that have blocks in both rows, and the differences between the shifts of
// these two blocks.
class Differences {
 public:
  struct Difference {
    std::uint32_t column;
    std::uint32_t shift;
  };

  explicit Differences(const BaseMatrix& matrix) : rows_(matrix.rows), of_pair_(rows_ * rows_) {
    for (const Block& a : matrix.blocks) {
      for (const Block& b : matrix.blocks) {
        if (a.column != b.column || a.row == b.row) continue;
        of_pair_[a.row * rows_ + b.row].push_back({a.column, (a.shift - b.shift) % matrix.lifting});
      }
    }
  }

  const std::vector<Difference>& operator()(std::uint32_t a, std::uint32_t b) const { return of_pair_[a * rows_ + b]; }

 private:
  std::uint32_t rows_;
  std::vector<std::vector<Difference>> of_pair_;
};

}  // namespace

ShortCycles short_cycles(const BaseMatrix& matrix) {
  const Differences differences(matrix);
  ShortCycles cycles;
  for (std::uint32_t a = 0; a < matrix.rows; ++a) {
    for (std::uint32_t b = a + 1; b < matrix.rows; ++b) {
      std::vector<std::uint64_t> columns_with(matrix.lifting);
      for (const auto& ab : differences(a, b)) cycles.of_4 += columns_with[ab.shift]++;
      for (std::uint32_t c = b + 1; c < matrix.rows; ++c) {
        for (const auto& bc : differences(b, c)) {
          for (const auto& ca : differences(c, a)) {
            if (bc.column == ca.column) continue;
            for (const auto& ab : differences(a, b)) {
              const bool closed = (ab.shift + bc.shift + ca.shift) % matrix.lifting == 0;
              cycles.of_6 += closed && ab.column != bc.column && ab.column != ca.column;
            }
          }
        }
      }
    }
  }
  return cycles;
}

bool parity_is_determined(const BaseMatrix& matrix) {
  std::vector<std::uint64_t> weights(matrix.rows);  // for each row, the weights of its parity blocks modulo 2
  for (const Block& block : matrix.blocks) {
    if (block.column < matrix.information_columns) continue;
    weights[block.row] ^= std::uint64_t{1} << (block.column - matrix.information_columns);
  }
  for (std::uint32_t column = 0; column < matrix.rows; ++column) {
    const auto has_column = [&](std::uint64_t row) { return (row >> column & 1) != 0; };
    const auto pivot = std::find_if(weights.begin() + column, weights.end(), has_column);
    if (pivot == weights.end()) return false;
    std::iter_swap(weights.begin() + column, pivot);
    for (std::uint32_t row = column + 1; row < matrix.rows; ++row) {
      if (has_column(weights[row])) weights[row] ^= weights[column];
    }
  }
  return true;
}

}  // namespace nandscape::ecc::ldpc
