// SPDX-License-Identifier: Apache-2.0
#include "nand/cells/state_shape.h"

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "catch.h"

namespace nandscape::nand {
namespace {

const StateShape skewed(1.0, 1.2, 0.13, 0.05);

TEST_CASE("the parts of a state add up to all of its cells") {
  const double alpha = 1 / (0.2 + std::sqrt(std::numbers::pi / 2) * (0.13 + 0.05));
  CHECK(skewed.alpha() == Approx(alpha));
  CHECK(skewed.below(1.0) == Approx(alpha * std::sqrt(std::numbers::pi / 2) * 0.13));
  CHECK(skewed.below(1.2) - skewed.below(1.0) == Approx(alpha * 0.2));
  CHECK(skewed.above(1.2) == Approx(alpha * std::sqrt(std::numbers::pi / 2) * 0.05));
  for (double v = 0.5; v < 1.6; v += 0.01) {
    CAPTURE(v);
    CHECK(skewed.below(v) + skewed.above(v) == Approx(1).epsilon(1e-14));
    CHECK(skewed.below(v) < skewed.below(v + 0.01));
  }
}

TEST_CASE("a state's fraction below a voltage is the integral of its density") {
  constexpr double step = 1e-4;
  double sum = skewed.below(0.3);
  for (double v = 0.3; v < 1.5; v += step) {
    sum += step / 6 * (skewed.density(v) + 4 * skewed.density(v + step / 2) + skewed.density(v + step));
  }
  CHECK(sum == Approx(skewed.below(1.5)).epsilon(1e-7));
}

TEST_CASE("a state without a flat top and with equal tails is a Gaussian") {
  const StateShape gaussian(2, 2, 0.25, 0.25);
  for (const double z : {-3.0, -1.0, 0.0, 0.5, 4.0}) {
    CHECK(gaussian.below(2 + 0.25 * z) == Approx(std::erfc(-z / std::numbers::sqrt2) / 2).epsilon(1e-14));
  }
}

TEST_CASE("a state's far tails keep their relative accuracy") {
  // Mills' ratio, expanded for large z: the integral of exp(-x^2/2) from z to infinity is exp(-z^2/2) (1/z - 1/z^3 +
  // ...).
  constexpr double z = 30;
  const double tail = std::exp(-z * z / 2) * (1 / z - std::pow(z, -3) + 3 * std::pow(z, -5) - 15 * std::pow(z, -7));
  CHECK(skewed.below(1.0 - z * 0.13) == Approx(skewed.alpha() * 0.13 * tail).epsilon(1e-9));
  CHECK(skewed.above(1.2 + z * 0.05) == Approx(skewed.alpha() * 0.05 * tail).epsilon(1e-9));
}

TEST_CASE("a state may end without a tail, but must have some width") {
  const StateShape uniform(-1, 1, 0, 0);
  CHECK(uniform.below(-1) == 0);
  CHECK(uniform.below(0) == 0.5);
  CHECK(uniform.above(1) == 0);
  CHECK(uniform.density(1.1) == 0);
  CHECK_THROWS_AS(StateShape(1, 1, 0, 0), std::invalid_argument);
  CHECK_THROWS_AS(StateShape(1, 0.9, 0.1, 0.1), std::invalid_argument);
  CHECK_THROWS_AS(StateShape(0, 1, -0.1, 0.1), std::invalid_argument);
  CHECK_THROWS_AS(StateShape(0, 1, 0.1, std::nan("")), std::invalid_argument);
}

}  // namespace
}  // namespace nandscape::nand
