// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ecc/bch/galois_field.h"

namespace nandscape::ecc {

// A polynomial over GF(2). Element i is the coefficient of x^i; the last element is the leading coefficient.
using BinaryPolynomial = std::vector<std::uint8_t>;

// Returns the polynomial of lowest degree over GF(2) that has alpha^exponent as a root.
BinaryPolynomial minimal_polynomial(const GaloisField& field, std::uint32_t exponent);

// Returns the generator of the code: the least common multiple of the minimal polynomials of alpha, alpha^2, ...,
// alpha^(2 t), where t is `correctable_bits`. Requires that 2 t is less than the order of the field.
BinaryPolynomial generator_polynomial(const GaloisField& field, std::uint32_t correctable_bits);

}  // namespace nandscape::ecc
