// SPDX-License-Identifier: Apache-2.0
#include "nand/cells/laplace_gauss.h"

#include <algorithm>
#include <cmath>

#include "nand/cells/scaled_erfc.h"

namespace nandscape::nand {

namespace {

constexpr double sqrt_half = 0.70710678118654752440;
constexpr double inverse_sqrt_two_pi = 0.39894228040143267794;

double normal_below(double z) { return 0.5 * std::erfc(-z * sqrt_half); }
double normal_density(double z) { return inverse_sqrt_two_pi * std::exp(-0.5 * z * z); }

// Returns the contribution of one side of the Laplace distribution after smoothing by the Gaussian: (1/2) exp(s^2/(2
// lambda^2) - x/lambda) erfc((s/lambda - x/s)/sqrt(2)). The exponential and erfc are combined so that neither of them
// overflows or underflows.
double smoothed_side(double x, double lambda, double s) {
  const double u = (s / lambda - x / s) * sqrt_half;
  const double exponent = -0.5 * (x / s) * (x / s);
  const double edge = exponent < -700 ? 0 : 0.5 * std::exp(exponent) * scaled_erfc(std::abs(u));
  return u >= 0 ? edge : std::exp(0.5 * (s / lambda) * (s / lambda) - x / lambda) - edge;
}

}  // namespace

double LaplaceGauss::below(double x) const {
  if (lambda_ == 0) return s_ == 0 ? (x > 0 ? 1.0 : 0.0) : normal_below(x / s_);
  if (s_ == 0) return x < 0 ? 0.5 * std::exp(x / lambda_) : 1 - 0.5 * std::exp(-x / lambda_);
  return normal_below(x / s_) + 0.5 * (smoothed_side(-x, lambda_, s_) - smoothed_side(x, lambda_, s_));
}

double LaplaceGauss::below_integral(double x) const {
  if (lambda_ == 0) {
    return s_ == 0 ? std::max(x, 0.0) : std::max(x * normal_below(x / s_) + s_ * normal_density(x / s_), 0.0);
  }
  if (s_ == 0) return std::max(x, 0.0) + 0.5 * lambda_ * std::exp(-std::abs(x) / lambda_);
  const double gaussian = x * normal_below(x / s_) + s_ * normal_density(x / s_);
  return std::max(gaussian, 0.0) + 0.5 * lambda_ * (smoothed_side(x, lambda_, s_) + smoothed_side(-x, lambda_, s_));
}

}  // namespace nandscape::nand
