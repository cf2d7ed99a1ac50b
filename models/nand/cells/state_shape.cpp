// SPDX-License-Identifier: Apache-2.0
#include "nand/cells/state_shape.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "nand/cells/scaled_erfc.h"

namespace nandscape::nand {

namespace {

const double root_half_pi = std::sqrt(std::numbers::pi / 2);

// Returns the integral of exp(-x^2 / 2 sigma^2) from `distance` >= 0 to infinity.
double half_gaussian(double distance, double sigma) {
  if (sigma == 0) return 0;
  return root_half_pi * sigma * std::erfc(distance / (std::numbers::sqrt2 * sigma));
}

}  // namespace

StateShape::StateShape(double lo, double hi, double sigma_low, double sigma_high)
    : lo_(lo), hi_(hi), sigma_low_(sigma_low), sigma_high_(sigma_high) {
  // The conditions are written so that a NaN is refused as well.
  if (!(hi >= lo) || !(sigma_low >= 0) || !(sigma_high >= 0)) {
    throw std::invalid_argument("a state's flat top and its tails cannot have negative widths");
  }
  const double width = (hi - lo) + root_half_pi * (sigma_low + sigma_high);
  if (!(width > 0))
    throw std::invalid_argument("a state whose cells all have the same threshold voltage has no density");
  alpha_ = 1 / width;
}

double StateShape::low_tail(double depth) const { return alpha_ * half_gaussian(depth, sigma_low_); }

double StateShape::high_tail(double height) const { return alpha_ * half_gaussian(height, sigma_high_); }

double StateShape::density(double v) const {
  if (v >= lo_ && v <= hi_) return alpha_;
  const double z = v < lo_ ? (lo_ - v) / sigma_low_ : (v - hi_) / sigma_high_;
  return alpha_ * std::exp(-z * z / 2);
}

double StateShape::below(double v) const {
  if (v <= lo_) return low_tail(lo_ - v);
  if (v >= hi_) return 1 - high_tail(v - hi_);
  return low_tail(0) + alpha_ * (v - lo_);
}

double StateShape::above(double v) const {
  if (v >= hi_) return high_tail(v - hi_);
  if (v <= lo_) return 1 - low_tail(lo_ - v);
  return high_tail(0) + alpha_ * (hi_ - v);
}

// Returns the cells above v plus the cells at y < v that are lifted to above v. A cell at y has the probability exp(-(v
// - y) / mean) for this.
double StateShape::above_lifted(double v, double mean) const {
  double lifted = 0;
  if (sigma_low_ > 0) {
    const double depth = std::max(lo_ - v, 0.0);
    const double u = (depth / sigma_low_ + sigma_low_ / mean) / std::numbers::sqrt2;
    const double exponent = -(v - lo_ + depth) / mean - 0.5 * (depth / sigma_low_) * (depth / sigma_low_);
    lifted += root_half_pi * sigma_low_ * std::exp(exponent) * scaled_erfc(u);
  }
  if (v > lo_) {
    const double top = std::min(v, hi_);
    lifted += mean * (std::exp(-(v - top) / mean) - std::exp(-(v - lo_) / mean));
  }
  if (v > hi_ && sigma_high_ > 0) {
    const double height = v - hi_;
    const double b = sigma_high_ / mean / std::numbers::sqrt2;
    const double u = b - height / sigma_high_ / std::numbers::sqrt2;
    const double whole = u >= 0 ? std::exp(-0.5 * (height / sigma_high_) * (height / sigma_high_)) * scaled_erfc(u)
                                : std::exp(b * b - height / mean) * std::erfc(u);
    lifted += root_half_pi * sigma_high_ * (whole - std::exp(-height / mean) * scaled_erfc(b));
  }
  return above(v) + alpha_ * lifted;
}

}  // namespace nandscape::nand
