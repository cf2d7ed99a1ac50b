// SPDX-License-Identifier: Apache-2.0
#include "ecc/bch/galois_field.h"

#include <vector>

#include "catch.h"
#include "core/random.h"

namespace nandscape::ecc {
namespace {

using Element = GaloisField::Element;

// Multiplies two elements by their definition as polynomials: shifts, adds, and reduces by the primitive polynomial.
Element product_of_polynomials(std::uint32_t m, std::uint32_t a, std::uint32_t b) {
  std::uint32_t product = 0;
  for (std::uint32_t i = 0; i < m; ++i) {
    if (b >> i & 1) product ^= a << i;
  }
  for (std::uint32_t i = 2 * m - 2; i >= m; --i) {
    if (product >> i & 1) product ^= primitive_polynomials[m] << (i - m);
  }
  return static_cast<Element>(product);
}

TEST_CASE("alpha generates every nonzero element of each field") {
  for (std::uint32_t m = 2; m <= max_field_degree; ++m) {
    const GaloisField field(m);
    CHECK(field.order() + 1 == 1u << m);
    std::vector<bool> seen(field.order() + 1);
    for (std::uint32_t e = 0; e < field.order(); ++e) {
      const Element a = field.power(e);
      REQUIRE(a != 0);
      REQUIRE(a <= field.order());
      REQUIRE_FALSE(seen[a]);
      seen[a] = true;
      REQUIRE(field.logarithm(a) == e);
    }
    CHECK(field.power(field.order()) == 1);
  }
}

TEST_CASE("multiplication is that of polynomials modulo the primitive one, and satisfies the field axioms") {
  for (std::uint32_t m = 2; m <= max_field_degree; ++m) {
    const GaloisField field(m);
    RandomStream random(m, "elements");
    const auto element = [&] { return static_cast<Element>(random.below(field.order() + 1)); };
    for (int i = 0; i < 500; ++i) {
      const Element a = element(), b = element(), c = element();
      REQUIRE(field.multiply(a, b) == product_of_polynomials(m, a, b));
      REQUIRE(field.multiply(a, b) == field.multiply(b, a));
      REQUIRE(field.multiply(field.multiply(a, b), c) == field.multiply(a, field.multiply(b, c)));
      REQUIRE(field.multiply(a, b ^ c) == (field.multiply(a, b) ^ field.multiply(a, c)));
      REQUIRE(field.multiply(a, 1) == a);
      REQUIRE(field.square(a ^ b) == (field.square(a) ^ field.square(b)));
      if (b != 0) REQUIRE(field.multiply(field.divide(a, b), b) == a);
    }
  }
}

TEST_CASE("the products of an element with powers of x follow its own power") {
  const GaloisField field(14);
  for (std::uint32_t e = 0; e < field.order(); e += 97) {
    for (std::uint32_t i = 0; i < 14; ++i) {
      REQUIRE(field.powers()[e + i] == field.multiply(field.power(e), static_cast<Element>(1u << i)));
    }
  }
}

}  // namespace
}  // namespace nandscape::ecc
