// SPDX-License-Identifier: Apache-2.0
// The distribution of the threshold voltages of one state, after equation 5 of Liu, Yang and Wu, "Optimizing NAND
// Flash-Based SSDs via Retention Relaxation" (FAST 2012): a flat top as wide as the ISPP step between two half-Gaussian
// tails of different widths. With a top of width 0 and equal tails it is a Gaussian.
#pragma once

namespace nandscape::nand {

class StateShape {
 public:
  // The flat top lies from `lo` to `hi`; the tails below and above it have the standard deviations `sigma_low` and
  // `sigma_high`. All are in the same unit, volt or millivolt. Throws std::invalid_argument if `hi` is below `lo`, if a
  // deviation is negative, or if all widths are 0.
  StateShape(double lo, double hi, double sigma_low, double sigma_high);

  double lo() const { return lo_; }
  double hi() const { return hi_; }
  double sigma_low() const { return sigma_low_; }
  double sigma_high() const { return sigma_high_; }

  // The density on the flat top.
  double alpha() const { return alpha_; }
  double density(double v) const;

  // The fractions of cells in the two tails, beside the flat top.
  double low_fraction() const { return alpha_ * sigma_low_ * sqrt_half_pi; }
  double high_fraction() const { return alpha_ * sigma_high_ * sqrt_half_pi; }

  // The fractions of cells below and above a voltage. Each keeps its relative accuracy in its far tail, where one minus
  // the other would lose it to rounding.
  double below(double v) const;
  double above(double v) const;
  // The fraction of cells above v after all cells are lifted by exponentially distributed amounts of that mean.
  double above_lifted(double v, double mean) const;

 private:
  static constexpr double sqrt_half_pi = 1.25331413731550025121;

  double low_tail(double depth) const;
  double high_tail(double height) const;

  double lo_;
  double hi_;
  double sigma_low_;
  double sigma_high_;
  double alpha_;
};

}  // namespace nandscape::nand
