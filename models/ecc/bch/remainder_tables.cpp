// SPDX-License-Identifier: Apache-2.0
#include "ecc/bch/remainder_tables.h"

#include <algorithm>

namespace nandscape::ecc {

namespace {

// The minimum length of a stretch, in words. In shorter stretches, the work between two stretches would dominate.
constexpr std::size_t least_fold_words = 32;

// Replaces `value` by value / y mod h. If the constant term of `value` is not 0, h is added first, so that the division
// is exact.
void divide_by_y(std::uint64_t* value, const CacheLineVector<std::uint64_t>& h, std::size_t words) {
  const std::uint64_t add = value[0] & 1 ? ~std::uint64_t{0} : 0;
  std::uint64_t above = h[words] & add;
  for (std::size_t w = words; w-- > 0;) {
    const std::uint64_t sum = value[w] ^ (h[w] & add);
    value[w] = sum >> 1 | above << 63;
    above = sum;
  }
}

}  // namespace

RemainderTables::RemainderTables(const BinaryPolynomial& generator) {
  const std::size_t degree = generator.size() - 1;
  words = (degree + 63) / 64;
  row_words = (words + 7) / 8 * 8;
  reciprocal.assign(words + 1, 0);
  for (std::size_t i = 0; i <= degree; ++i) {
    reciprocal[i / 64] |= std::uint64_t{generator[degree - i]} << i % 64;
  }

  // Finds the inverse bit by bit. If the coefficient of y^i in h * inverse is wrong, adding the term y^i to the inverse
  // corrects it.
  std::uint64_t product = 0;
  for (std::uint32_t i = 0; i < 64; ++i) {
    if ((product >> i & 1) == (i == 0)) continue;
    inverse |= std::uint64_t{1} << i;
    product ^= reciprocal[0] << i;
  }

  byte_rows.assign(256 * words, 0);
  for (std::uint64_t byte = 0; byte < 256; ++byte) {
    // The degree of a byte may be higher than that of h, so its bits are added one by one when the division reaches
    // them.
    std::uint64_t* row = &byte_rows[byte * words];
    for (std::uint32_t i = 0; i < 8; ++i) {
      row[0] ^= byte >> i & 1;
      divide_by_y(row, reciprocal, words);
    }
  }

  fold_words = std::max(least_fold_words, words + 1);
  fold_rows.assign(fold_words * row_words, 0);
  CacheLineVector<std::uint64_t> power(words);
  power[0] = 1;
  for (std::size_t i = fold_words; i-- > 0;) {
    for (std::uint32_t step = 0; step < 64; ++step) divide_by_y(power.data(), reciprocal, words);
    std::copy(power.begin(), power.end(), &fold_rows[i * row_words]);
  }
}

}  // namespace nandscape::ecc
