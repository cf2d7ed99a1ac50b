// SPDX-License-Identifier: Apache-2.0
#include "ecc/codes/miscorrection.h"

#include <cmath>
#include <numbers>

namespace nandscape::ecc {

double miscorrected_share(std::uint32_t codeword_bits, std::uint32_t parity_bits, std::uint32_t correctable_bits) {
  // The number of patterns with exactly t errors may be too large for a double, so its logarithm is computed. over_most
  // is the number of patterns with up to t errors, divided by the number of patterns with exactly t errors.
  double log_patterns = 0;
  double over_most = 1;
  for (std::uint32_t errors = 1; errors <= correctable_bits; ++errors) {
    const double ratio = static_cast<double>(codeword_bits - errors + 1) / errors;
    log_patterns += std::log(ratio);
    over_most = 1 + over_most / ratio;
  }
  return over_most * std::exp(log_patterns - parity_bits * std::numbers::ln2);
}

double miscorrected_share(std::uint32_t correctable_bits) { return std::exp(-std::lgamma(correctable_bits + 1.0)); }

}  // namespace nandscape::ecc
