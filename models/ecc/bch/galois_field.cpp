// SPDX-License-Identifier: Apache-2.0
#include "ecc/bch/galois_field.h"

namespace nandscape::ecc {

GaloisField::GaloisField(std::uint32_t m)
    : degree_(m), order_((1u << m) - 1), powers_(2 * order_ + 16), logarithms_(order_ + 1) {
  std::uint32_t power = 1;
  for (std::uint32_t e = 0; e < powers_.size(); ++e) {
    powers_[e] = static_cast<Element>(power);
    if (e < order_) logarithms_[power] = static_cast<std::uint16_t>(e);
    power <<= 1;
    if (power >> m != 0) power ^= primitive_polynomials[m];
  }
}

}  // namespace nandscape::ecc
