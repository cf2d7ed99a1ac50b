// SPDX-License-Identifier: Apache-2.0
// The distribution of the threshold voltages of one state, by equation 5 of Liu, Yang and Wu, "Optimizing NAND
// Flash-Based SSDs via Retention Relaxation" (FAST 2012). It has a flat top, whose width is the ISPP step, between two
// half-Gaussian tails of different widths. If the width of the top is 0 and the tails are equal, it is a Gaussian.
#pragma once

namespace nandscape::nand {

class StateShape {
 public:
  // The flat top extends from `lo` to `hi`. The tail below it has the standard deviation `sigma_low`, and the tail
  // above it `sigma_high`. All values have the same unit, for example mV. Throws std::invalid_argument if `hi` is below
  // `lo`, if a deviation is negative, or if all widths are 0.
  StateShape(double lo, double hi, double sigma_low, double sigma_high);

  double lo() const { return lo_; }
  double hi() const { return hi_; }
  double sigma_low() const { return sigma_low_; }
  double sigma_high() const { return sigma_high_; }

  // Returns the density on the flat top.
  double alpha() const { return alpha_; }
  double density(double v) const;

  // The fractions of cells in the lower and in the upper tail.
  double low_fraction() const { return alpha_ * sigma_low_ * sqrt_half_pi; }
  double high_fraction() const { return alpha_ * sigma_high_ * sqrt_half_pi; }

  // The fractions of cells below and above a voltage. Each function preserves its relative accuracy in its far tail,
  // where the difference between 1 and the result of the other function would only be rounding errors.
  double below(double v) const;
  double above(double v) const;
  // Returns the fraction of cells above v after every cell has been lifted by an exponentially distributed amount with
  // the given mean.
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
