// SPDX-License-Identifier: Apache-2.0
// Tables with which kernels divide by a generator polynomial g of degree r.
//
// Bit i of a word of n bits is the coefficient of x^(n-1-i), so words read from low bits up are polynomials in y = 1/x,
// times x^(n-1). Arithmetic is therefore done in y, modulo the reciprocal polynomial h(y) = y^r g(1/y), whose constant
// term is 1. A payload D(y) of k bits has the parity P(y) with D(y) + y^k P(y) = 0, that is P = y^-k D mod h. Kernels
// divide by y once for each payload bit, many bits at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ecc/bch/cache_line_vector.h"
#include "ecc/bch/generator_polynomial.h"

namespace nandscape::ecc {

inline constexpr std::uint32_t max_bch_correctable_bits = 511;
inline constexpr std::size_t max_remainder_words = (max_bch_correctable_bits * max_field_degree + 63) / 64;

struct RemainderTables {
  explicit RemainderTables(const BinaryPolynomial& generator);

  // A polynomial of degree below r takes `words` words. Rows end with zeros and are `row_words` apart, a multiple of 8.
  std::size_t words;
  std::size_t row_words;

  // y^-8 times each value of a byte, in rows of `words` words.
  CacheLineVector<std::uint64_t> byte_rows;

  // Row i of fold_rows is y^(64 (i - fold_words)) mod h: it moves word i of a stretch of the payload to just after the
  // stretch.
  std::size_t fold_words;
  CacheLineVector<std::uint64_t> fold_rows;

  // h itself, words + 1 words long, and its inverse modulo y^64, for exact division by y^64 [Montgomery].
  CacheLineVector<std::uint64_t> reciprocal;
  std::uint64_t inverse = 0;
};

}  // namespace nandscape::ecc
