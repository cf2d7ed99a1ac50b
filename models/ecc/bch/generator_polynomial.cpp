// SPDX-License-Identifier: Apache-2.0
#include "ecc/bch/generator_polynomial.h"

namespace nandscape::ecc {

namespace {

// Returns the cyclotomic coset of an exponent, which is the set of the exponents of the conjugates alpha^e, alpha^2e,
// alpha^4e, ...
std::vector<std::uint32_t> conjugates(const GaloisField& field, std::uint32_t exponent) {
  std::vector<std::uint32_t> coset = {exponent};
  for (std::uint32_t e = exponent * 2 % field.order(); e != exponent; e = e * 2 % field.order()) coset.push_back(e);
  return coset;
}

BinaryPolynomial product(const BinaryPolynomial& a, const BinaryPolynomial& b) {
  BinaryPolynomial result(a.size() + b.size() - 1);
  for (std::size_t j = 0; j < b.size(); ++j) {
    if (b[j] == 0) continue;
    for (std::size_t i = 0; i < a.size(); ++i) result[i + j] ^= a[i];
  }
  return result;
}

}  // namespace

BinaryPolynomial minimal_polynomial(const GaloisField& field, std::uint32_t exponent) {
  // The minimal polynomial is the product of (x - root) over all conjugates. Its coefficients are 0 or 1.
  std::vector<GaloisField::Element> coefficients = {1};
  for (const std::uint32_t e : conjugates(field, exponent)) {
    const GaloisField::Element root = field.power(e);
    coefficients.push_back(0);
    for (std::size_t i = coefficients.size() - 1; i > 0; --i) {
      coefficients[i] = coefficients[i - 1] ^ field.multiply(coefficients[i], root);
    }
    coefficients[0] = field.multiply(coefficients[0], root);
  }
  return BinaryPolynomial(coefficients.begin(), coefficients.end());
}

BinaryPolynomial generator_polynomial(const GaloisField& field, std::uint32_t correctable_bits) {
  BinaryPolynomial generator = {1};
  std::vector<bool> is_root(field.order());
  for (std::uint32_t e = 1; e <= 2 * correctable_bits; ++e) {
    if (is_root[e]) continue;
    for (const std::uint32_t conjugate : conjugates(field, e)) is_root[conjugate] = true;
    generator = product(generator, minimal_polynomial(field, e));
  }
  return generator;
}

}  // namespace nandscape::ecc
