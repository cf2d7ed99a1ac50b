// SPDX-License-Identifier: Apache-2.0
// Tables for the kernels that compute remainders modulo a generator polynomial g of degree r.
//
// Bit i of a string of n bits is the coefficient of x^(n-1-i). The processor's words have the first bit as their lowest
// bit, so read from the lowest bit up they are polynomials in y = 1/x (times x^(n-1)). The arithmetic is therefore done
// in y, modulo the reciprocal polynomial h(y) = y^r g(1/y), whose constant term is 1. A payload D(y) of k bits has the
// parity P(y) for which D(y) + y^k P(y) = 0 mod h. Hence P = y^-k D mod h. The kernels divide by y once for each bit of
// the payload, but process many bits at a time.
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

  // A polynomial of degree below r needs `words` words. Rows are `row_words` words apart, which is a multiple of 8, and
  // end with zeros.
  std::size_t words;
  std::size_t row_words;

  // The product of y^-8 and each value of a byte. Each row has `words` words.
  CacheLineVector<std::uint64_t> byte_rows;

  // Row i of fold_rows is y^(64 (i - fold_words)) mod h. A multiplication by this row moves the contribution of word i
  // of a stretch to the position just after the stretch.
  std::size_t fold_words;
  CacheLineVector<std::uint64_t> fold_rows;

  // `reciprocal` is the polynomial h, which is words + 1 words long. `inverse` is its inverse modulo y^64. The inverse
  // is used for exact division by y^64, as in Montgomery's reduction.
  CacheLineVector<std::uint64_t> reciprocal;
  std::uint64_t inverse = 0;
};

}  // namespace nandscape::ecc
