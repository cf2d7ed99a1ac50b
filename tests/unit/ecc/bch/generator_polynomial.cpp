// SPDX-License-Identifier: Apache-2.0
#include "ecc/bch/generator_polynomial.h"

#include <initializer_list>

#include "catch.h"

namespace nandscape::ecc {
namespace {

BinaryPolynomial with_exponents(std::initializer_list<std::size_t> exponents) {
  BinaryPolynomial polynomial(*exponents.begin() + 1);
  for (const std::size_t e : exponents) polynomial[e] = 1;
  return polynomial;
}

GaloisField::Element value_at(const GaloisField& field, const BinaryPolynomial& polynomial, std::uint64_t exponent) {
  GaloisField::Element value = 0;
  for (std::size_t i = 0; i < polynomial.size(); ++i) {
    if (polynomial[i]) value ^= field.power(exponent * i);
  }
  return value;
}

TEST_CASE("generators of the codes of length 15, 31 and 63 agree with textbooks") {
  const GaloisField field16(4);
  CHECK(generator_polynomial(field16, 1) == with_exponents({4, 1, 0}));
  CHECK(generator_polynomial(field16, 2) == with_exponents({8, 7, 6, 4, 0}));
  CHECK(generator_polynomial(field16, 3) == with_exponents({10, 8, 5, 4, 2, 1, 0}));
  const GaloisField field32(5);
  CHECK(generator_polynomial(field32, 2) == with_exponents({10, 9, 8, 6, 5, 3, 0}));
  CHECK(generator_polynomial(field32, 3) == with_exponents({15, 11, 10, 9, 8, 7, 5, 3, 2, 1, 0}));
  const GaloisField field64(6);
  CHECK(generator_polynomial(field64, 2) == with_exponents({12, 10, 8, 5, 4, 3, 0}));
  CHECK(generator_polynomial(field64, 7).size() - 1 == 39);
}

TEST_CASE("a generator is zero at 2 t consecutive powers of alpha, and its only other roots are their conjugates") {
  for (std::uint32_t m = 5; m <= 14; m += 3) {
    const GaloisField field(m);
    for (const std::uint32_t t : {1u, 3u, 7u}) {
      const BinaryPolynomial generator = generator_polynomial(field, t);
      CHECK(generator.front() == 1);
      CHECK(generator.back() == 1);
      CHECK(generator.size() - 1 <= m * t);
      for (std::uint32_t e = 1; e <= 2 * t; ++e) REQUIRE(value_at(field, generator, e) == 0);
      std::size_t roots = 0;
      for (std::uint32_t e = 0; e < field.order(); ++e) roots += value_at(field, generator, e) == 0;
      CHECK(roots == generator.size() - 1);
    }
  }
}

TEST_CASE("conjugate roots share a minimal polynomial") {
  const GaloisField field(8);
  CHECK(minimal_polynomial(field, 0) == with_exponents({1, 0}));
  CHECK(minimal_polynomial(field, 1) == with_exponents({8, 4, 3, 2, 0}));
  CHECK(minimal_polynomial(field, 3) == minimal_polynomial(field, 48));
  // alpha^17 belongs to the subfield with 16 elements, so its minimal polynomial has degree 4.
  CHECK(minimal_polynomial(field, 17).size() - 1 == 4);
}

}  // namespace
}  // namespace nandscape::ecc
