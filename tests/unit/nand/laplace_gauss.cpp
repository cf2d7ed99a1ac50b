// SPDX-License-Identifier: Apache-2.0
#include "nand/cells/laplace_gauss.h"

#include <algorithm>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <utility>

#include "catch.h"

using namespace nandscape;
using namespace nandscape::nand;

namespace {

template <class Function>
double integral(const Function& f, double from, double to) {
  return boost::math::quadrature::gauss_kronrod<double, 61>::integrate(f, from, to, 12, 1e-12);
}

// Returns P(L + G < x) for a Laplace variable L and a Gaussian variable G. Integrates the closed form for L over G.
double reference_below(double lambda, double s, double x) {
  const auto below = [&](double y) { return y < 0 ? 0.5 * std::exp(y / lambda) : 1 - 0.5 * std::exp(-y / lambda); };
  const auto weighted = [&](double z) { return std::exp(-0.5 * z * z) * below(x - s * z); };
  // The integral is split at the kink of the Laplace distribution, where the integrand is not smooth.
  constexpr double furthest = 40;
  const double kink = std::clamp(x / s, -furthest, furthest);
  const double density_factor = 1 / std::sqrt(2 * 3.14159265358979323846);
  return density_factor * (integral(weighted, -furthest, kink) + integral(weighted, kink, furthest));
}

}  // namespace

TEST_CASE("Laplace plus Gauss: distribution agrees with integration") {
  for (const double s : {5.0, 40.0, 200.0}) {
    const LaplaceGauss z(40, s);
    for (const double x : {-600.0, -250.0, -30.0, 0.0, 10.0, 400.0}) {
      CAPTURE(s, x);
      CHECK(z.below(x) == Approx(reference_below(40, s, x)).epsilon(1e-7).margin(1e-13));
    }
  }
}

TEST_CASE("Laplace plus Gauss: either may be absent") {
  CHECK(LaplaceGauss(0, 2).below(-2) == Approx(0.158655253931457));
  CHECK(LaplaceGauss(3, 0).below(-3) == Approx(0.5 * std::exp(-1.0)));
  CHECK(LaplaceGauss(0, 0).below(1e-9) == 1);
  CHECK(LaplaceGauss(0, 0).below(-1e-9) == 0);
  CHECK(LaplaceGauss(0, 0).below_integral(4) == 4);
}

TEST_CASE("Laplace plus Gauss: the far tail is the Laplace tail, raised by the Gaussian") {
  const LaplaceGauss z(10, 5);
  const double tail = 0.5 * std::exp(0.5 * 0.25 - 60);
  CHECK(z.below(-600) == Approx(tail).epsilon(1e-9));
}

TEST_CASE("Laplace plus Gauss: the integral of the distribution") {
  for (const auto& [lambda, s] : {std::pair(40.0, 20.0), std::pair(0.0, 20.0), std::pair(40.0, 0.0)}) {
    const LaplaceGauss z(lambda, s);
    const auto below = [&](double x) { return z.below(x); };
    for (const double x : {-100.0, -20.0, 30.0}) {
      CAPTURE(lambda, s, x);
      CHECK(z.below_integral(x) ==
            Approx(integral(below, -2000.0, -20.0) * (x >= -20 ? 1 : 0) +
                   (x >= -20 ? integral(below, -20.0, std::min(x, 0.0)) + (x > 0 ? integral(below, 0.0, x) : 0)
                             : integral(below, -2000.0, x)))
                .epsilon(1e-6)
                .margin(1e-12));
    }
    // In general, E[(x - Z)+] - E[(Z - x)+] = x.
    CHECK(z.below_integral(30) - z.below_integral(-30) == Approx(30));
  }
}
