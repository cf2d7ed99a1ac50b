// SPDX-License-Identifier: Apache-2.0
// The field GF(2^m). Its elements are polynomials in x over GF(2) of degree below m, with coefficient i in bit i.
// Products are taken modulo a primitive polynomial of degree m, so alpha = x generates the multiplicative group.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace nandscape::ecc {

inline constexpr std::uint32_t max_field_degree = 16;

// The primitive polynomials in the table of Lin and Costello, indexed by degree. Most software uses these. Bit i is the
// coefficient of x^i.
inline constexpr std::array<std::uint32_t, max_field_degree + 1> primitive_polynomials = {
    0, 0, 0x7, 0xb, 0x13, 0x25, 0x43, 0x89, 0x11d, 0x211, 0x409, 0x805, 0x1053, 0x201b, 0x4443, 0x8003, 0x1100b};

class GaloisField {
 public:
  using Element = std::uint16_t;

  // Requires 2 <= m <= 16.
  explicit GaloisField(std::uint32_t m);

  std::uint32_t degree() const { return degree_; }
  // Returns the order of the multiplicative group, 2^m - 1.
  std::uint32_t order() const { return order_; }

  // A table of alpha^e for all e below 2 * order() + 16. The table is long enough that the sum of two logarithms can be
  // used as an index without a reduction, and that the products of an element with 1, x, ..., x^15 are adjacent.
  const Element* powers() const { return powers_.data(); }
  Element power(std::uint64_t exponent) const { return powers_[exponent % order_]; }

  // The logarithm of an element that is not 0. The result is less than order().
  const std::uint16_t* logarithms() const { return logarithms_.data(); }
  std::uint32_t logarithm(Element a) const { return logarithms_[a]; }

  Element multiply(Element a, Element b) const {
    return a == 0 || b == 0 ? Element{0} : powers_[logarithm(a) + logarithm(b)];
  }
  Element square(Element a) const { return multiply(a, a); }
  // Requires b != 0.
  Element divide(Element a, Element b) const {
    return a == 0 ? Element{0} : powers_[logarithm(a) + order_ - logarithm(b)];
  }

 private:
  std::uint32_t degree_;
  std::uint32_t order_;
  std::vector<Element> powers_;
  std::vector<std::uint16_t> logarithms_;
};

}  // namespace nandscape::ecc
