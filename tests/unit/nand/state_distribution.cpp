// SPDX-License-Identifier: Apache-2.0
#include "nand/cells/state_distribution.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "catch.h"
#include "core/random.h"

using namespace nandscape;
using namespace nandscape::nand;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Draws voltages of cells at random, following the equations in the header of the class.
std::vector<double> draw(std::size_t cells, const StateShape& shape, double pulse_noise, double lambda, double gaussian,
                         const std::vector<StateDistribution::Coupling>& coupling, const StateDistribution::Lift& lift,
                         const StateDistribution::Loss& loss) {
  RandomStream random(7, "cells");
  std::normal_distribution<double> normal;
  const double low = shape.alpha() * shape.sigma_low() * std::sqrt(std::acos(-1.0) / 2);
  const double high = shape.alpha() * shape.sigma_high() * std::sqrt(std::acos(-1.0) / 2);
  std::vector<double> all(cells);
  for (double& v : all) {
    const double part = random.uniform();
    double x = 0;
    if (part < low) {
      x = shape.lo() - shape.sigma_low() * std::abs(normal(random));
    } else if (part < low + high) {
      x = shape.hi() + shape.sigma_high() * std::abs(normal(random));
    } else {
      // The pulses start so far below the level that their noise makes the starting point irrelevant. Each pulse raises
      // the cell by a step plus noise.
      const double step = shape.hi() - shape.lo();
      x = shape.lo() - step * (100 + random.uniform());
      while (x < shape.lo()) x += step + pulse_noise * normal(random);
    }
    const double sign = random.uniform() < 0.5 ? -1 : 1;
    if (lambda > 0) x += sign * random.exponential(lambda);
    x += gaussian * normal(random);
    double at = random.uniform();
    for (const auto& c : coupling) {
      if (at < c.probability) {
        x += c.shift;
        break;
      }
      at -= c.probability;
    }
    v = x + lift.of_all - loss.of(x) + std::sqrt(loss.noise * std::max(loss.of(x), 0.0)) * normal(random);
    if (random.uniform() < lift.share) v += random.exponential(lift.mean);
  }
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

TEST_CASE("state distribution: closed form agrees with drawn cells") {
  const StateShape shape(1000, 1250, 60, 40);
  struct Case {
    const char* name;
    double pulse_noise, lambda, gaussian;
    std::vector<StateDistribution::Coupling> coupling;
    StateDistribution::Lift lift;
    StateDistribution::Loss loss;
  };
  const std::vector<StateDistribution::Coupling> none = {{1, 0}};
  const std::vector<StateDistribution::Coupling> two = {{0.25, 0}, {0.75, 90}};
  const std::vector<Case> cases = {
      {"shape alone", 0, 0, 0, none, {}, {}},
      {"pulse noise", 30, 0, 0, none, {}, {}},
      {"telegraph noise", 0, 25, 0, none, {}, {}},
      {"coupling", 0, 0, 15, two, {}, {}},
      {"drift", 0, 0, 0, none, {20, 0, 0}, {40, 0.1, 0}},
      {"some cells lifted far", 0, 0, 0, none, {0, 0.3, 400}, {}},
      {"some cells lifted little", 0, 0, 0, none, {0, 0.5, 20}, {}},
      {"all", 30, 25, 15, two, {20, 0.1, 150}, {40, 0.1, 3}},
  };
  constexpr std::size_t cells = 200'000;
  for (const Case& c : cases) {
    const StateDistribution state(shape, c.pulse_noise, c.lambda, c.gaussian, c.coupling, c.lift, c.loss);
    const auto drawn = draw(cells, shape, c.pulse_noise, c.lambda, c.gaussian, c.coupling, c.lift, c.loss);
    for (double v = drawn[40]; v < drawn[cells - 40]; v += 25) {
      CAPTURE(c.name, v);
      const auto counted = static_cast<double>(std::lower_bound(drawn.begin(), drawn.end(), v) - drawn.begin());
      const double p = state.below(v);
      const double deviation = std::sqrt(cells * p * (1 - p)) + 1;
      // With noisy loss the margin is wider. The distribution evaluates the variance of the loss at the original
      // voltage, which is an approximation.
      const double allowed = (c.loss.noise > 0 ? 6 : 4.5) * deviation;
      CHECK(std::abs(counted - cells * p) < allowed);
      CHECK(state.above(v) == Approx(1 - p).margin(1e-12));
    }
  }
}

TEST_CASE("state distribution: intervals") {
  const StateDistribution state({1000, 1250, 60, 40}, 0, 0, 0, {{1, 0}}, {}, {});
  CHECK(state.between(-infinity, infinity) == 1);
  CHECK(state.between(-infinity, 700) == Approx(state.below(700)));
  CHECK(state.between(1500, infinity) == Approx(state.above(1500)));
  CHECK(state.between(1100, 1200) == Approx(state.below(1200) - state.below(1100)));
  CHECK(state.between(1200, 1100) == 0);
  // Far out in the tail, the difference of two probabilities close to 1 would have no correct digits left.
  CHECK(state.between(1700, 1800) == Approx(state.above(1700)).epsilon(1e-3));
  CHECK(state.above(1700) > 0);
}
