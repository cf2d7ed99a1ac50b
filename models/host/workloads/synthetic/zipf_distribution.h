// SPDX-License-Identifier: Apache-2.0
// Draws ranks 1..n with a probability proportional to rank^-theta, by rejection-inversion [Hoermann, Derflinger 1996].
// Drawing a sample takes constant time for any n and needs no table.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/random.h"

namespace nandscape::host {

class ZipfDistribution {
 public:
  ZipfDistribution(std::uint64_t n, double theta)
      : n_(static_cast<double>(n)),
        theta_(theta),
        area_from_(area(1.5) - 1),
        area_to_(area(n_ + 0.5)),
        sure_(2 - inverse_area(area(2.5) - weight(2))) {}

  std::uint64_t operator()(RandomStream& random) const {
    for (;;) {
      const double u = area_to_ + random.uniform() * (area_from_ - area_to_);
      const double x = inverse_area(u);
      const double rank = std::fmin(std::fmax(std::floor(x + 0.5), 1), n_);
      // The first test avoids computing a power for nearly all samples, because it accepts them.
      if (rank - x <= sure_ || u >= area(rank + 0.5) - weight(rank)) return static_cast<std::uint64_t>(rank);
    }
  }

 private:
  // Returns x^-theta, the hat function of the rejection method.
  double weight(double x) const { return std::exp(-theta_ * std::log(x)); }

  // Returns the integral of weight() from 1 to x, which is (x^(1-theta) - 1) / (1-theta), or log x for theta = 1. The
  // computation avoids cancellation near theta = 1.
  double area(double x) const {
    const double log_x = std::log(x);
    const double t = (1 - theta_) * log_x;
    return std::abs(t) > 1e-8 ? log_x * std::expm1(t) / t : log_x * (1 + t / 2);
  }

  double inverse_area(double a) const {
    const double t = std::fmax((1 - theta_) * a, -1);
    return std::exp(std::abs(t) > 1e-8 ? a * std::log1p(t) / t : a * (1 - t / 2));
  }

  double n_;
  double theta_;
  double area_from_;
  double area_to_;
  double sure_;
};

}  // namespace nandscape::host
