// SPDX-License-Identifier: Apache-2.0
#include "ecc/codes/uber.h"

#include <algorithm>
#include <cmath>

#include "core/bracketed_root.h"

namespace nandscape::ecc {

double log_frame_error_rate(const BlockCode& code, double rber) {
  const double log_odds = std::log(rber) - std::log1p(-rber);
  // The logarithm of the probability of exactly n errors, beginning with n = 0.
  double log_term = code.codeword_bits * std::log1p(-rber);
  const auto add_error = [&](std::uint32_t n) {
    log_term += std::log(static_cast<double>(code.codeword_bits - n + 1) / n) + log_odds;
  };
  std::uint32_t n = 1;
  for (; n <= code.correctable + 1; ++n) add_error(n);
  double log_sum = log_term;
  for (; n <= code.codeword_bits; ++n) {
    const double before = log_term;
    add_error(n);
    log_sum = std::max(log_sum, log_term) + std::log1p(std::exp(-std::abs(log_sum - log_term)));
    // Once the terms decrease, each ratio of successive terms is smaller than the one before, so the remaining terms
    // are negligible.
    if (log_term < before && log_term < log_sum - 50) break;
  }
  return log_sum;
}

double log_uber(const BlockCode& code, double rber) {
  return log_frame_error_rate(code, rber) - std::log(code.user_bits);
}

double tolerable_rber(const BlockCode& code, double uber) {
  constexpr double least = 1e-12, most = 0.5;
  const double log_target = std::log(uber);
  return std::exp(bracketed_root([&](double log_rber) { return log_uber(code, std::exp(log_rber)) - log_target; },
                                 std::log(least), std::log(most)));
}

}  // namespace nandscape::ecc
