// SPDX-License-Identifier: Apache-2.0
#include "core/poisson_interval.h"

#include <cmath>

#include "catch.h"

namespace nandscape {
namespace {

TEST_CASE("the interval of a Poisson mean agrees with published tables") {
  struct Row {
    std::uint64_t events;
    double low, high;
  };
  // Published two-sided 95 % confidence limits for a Poisson variable [Garwood 1936].
  for (const auto& [events, low, high] :
       {Row{0, 0, 3.689}, Row{1, 0.0253, 5.572}, Row{2, 0.242, 7.225}, Row{3, 0.619, 8.767}, Row{5, 1.623, 11.668},
        Row{10, 4.795, 18.390}, Row{20, 12.217, 30.888}, Row{50, 37.111, 65.919}, Row{100, 81.364, 121.627}}) {
    INFO(events << " events");
    const PoissonInterval interval = poisson_interval(events);
    CHECK(interval.low == Approx(low).margin(0.00051));
    CHECK(interval.high == Approx(high).margin(0.00051));
  }
}

// Returns the probability that a Poisson variable with this mean is at most k.
double at_most(std::uint64_t k, double mean) {
  double term = std::exp(-mean), sum = term;
  for (std::uint64_t n = 1; n <= k; ++n) sum += term *= mean / static_cast<double>(n);
  return sum;
}

TEST_CASE("at either end of the interval, counts at least as extreme have a probability of 2.5 %") {
  for (const std::uint64_t events : {1, 2, 7, 30, 200}) {
    const PoissonInterval interval = poisson_interval(events);
    CHECK(1 - at_most(events - 1, interval.low) == Approx(0.025).epsilon(1e-6));
    CHECK(at_most(events, interval.high) == Approx(0.025).epsilon(1e-6));
  }
  // For such a large count, the interval must be that of a Gaussian variable.
  const PoissonInterval many = poisson_interval(100'000'000);
  CHECK(many.low == Approx(1e8 - 1.96 * 1e4).epsilon(1e-7));
  CHECK(many.high == Approx(1e8 + 1.96 * 1e4).epsilon(1e-7));
}

}  // namespace
}  // namespace nandscape
