// SPDX-License-Identifier: Apache-2.0
#include "ecc/measurement/failure_curve.h"

#include <cmath>
#include <stdexcept>

#include "catch.h"

namespace nandscape::ecc {
namespace {

MeasuredFrames frames(std::uint64_t number, std::uint64_t failures, std::uint64_t iterations = 0) {
  return {number, failures, 0, number * iterations, number * iterations * iterations};
}

double gaussian(double z) { return std::erfc(-z / std::sqrt(2.0)) / 2; }

MeasuredFrames at_rate(double rate) {
  constexpr double number = 1e7;
  return frames(static_cast<std::uint64_t>(number), static_cast<std::uint64_t>(std::llround(number * rate)));
}

TEST_CASE("intervals are Clopper-Pearson intervals") {
  // Without any events, the upper limit must be 1 - 0.025^(1/n). If every trial is an event, the lower limit must be
  // 0.025^(1/n).
  CHECK(estimate_rate(0, 100).low == 0);
  CHECK(estimate_rate(0, 100).high == Approx(1 - std::pow(0.025, 0.01)));
  CHECK(estimate_rate(100, 100).low == Approx(std::pow(0.025, 0.01)));
  CHECK(estimate_rate(100, 100).high == 1);
  // A published example: 10 events in 100 trials.
  CHECK(estimate_rate(10, 100).low == Approx(0.0490).epsilon(0.002));
  CHECK(estimate_rate(10, 100).high == Approx(0.1762).epsilon(0.002));
  CHECK(estimate_rate(0, 0).high == 1);
}

TEST_CASE("rates between measured counts follow a Gaussian waterfall") {
  FramesByErrors measured;
  for (std::uint32_t e = 80; e <= 120; e += 10) measured[e] = at_rate(gaussian((e - 100.0) / 10));
  const FailureCurve curve = failure_curve(measured, 0);
  for (std::uint32_t e = 80; e <= 120; ++e) {
    CAPTURE(e);
    CHECK(curve.rate[e] == Approx(gaussian((e - 100.0) / 10)).epsilon(0.002));
  }
}

TEST_CASE("rates rise with errors, and lie between their bounds, whatever was measured") {
  const FramesByErrors measured = {{0, frames(100, 0)},   {10, frames(100, 2)}, {12, frames(50, 0)},
                                   {20, frames(10, 5)},   {21, frames(90, 9)},  {30, frames(100, 100)},
                                   {40, frames(200, 198)}};
  const FailureCurve curve = failure_curve(measured, 0);
  REQUIRE(curve.rate.size() == 42);
  for (std::size_t e = 0; e < curve.rate.size(); ++e) {
    CAPTURE(e, curve.low[e], curve.rate[e], curve.high[e]);
    CHECK(curve.low[e] <= curve.rate[e]);
    CHECK(curve.rate[e] <= curve.high[e]);
    if (e == 0) continue;
    CHECK(curve.rate[e - 1] <= curve.rate[e]);
    CHECK(curve.low[e - 1] <= curve.low[e]);
    CHECK(curve.high[e - 1] <= curve.high[e] * (1 + 1e-12));
  }
  // Neighbours with falling rates are pooled.
  CHECK(curve.rate[10] == Approx(2.0 / 150));
  CHECK(curve.rate[20] == Approx(14.0 / 100));
  CHECK(curve.rate.front() == 0);
  CHECK(curve.rate.back() == 1);
}

TEST_CASE("below the measured failures, the estimate is above the true waterfall") {
  FramesByErrors measured = {{60, frames(10000, 0)}};
  for (std::uint32_t e = 70; e <= 120; e += 10) measured[e] = at_rate(gaussian((e - 100.0) / 10));
  const FailureCurve curve = failure_curve(measured, 0);
  for (std::uint32_t e = 1; e < 70; ++e) {
    CAPTURE(e);
    CHECK(curve.rate[e] > gaussian((e - 100.0) / 10));
    CHECK(curve.rate[e] < curve.rate[e + 1]);
    CHECK(curve.low[e] == 0);
  }
  CHECK(curve.rate[60] == Approx(0.5 / 10000));
  // The logarithm of the rate must be extrapolated along a straight line.
  CHECK(curve.rate[40] / curve.rate[30] == Approx(curve.rate[30] / curve.rate[20]));
}

TEST_CASE("errors that the code is sure to correct never fail") {
  const FailureCurve curve = failure_curve({{24, frames(100, 0)}, {25, frames(100, 100)}}, 24);
  for (std::uint32_t e = 0; e <= 24; ++e) CHECK((curve.rate[e] == 0 && curve.high[e] == 0));
  CHECK(curve.rate[25] == 1);
  CHECK(curve.low[25] == Approx(std::pow(0.025, 0.01)));
}

TEST_CASE("iterations are linear between counts and constant beyond") {
  const FailureCurve curve = failure_curve({{10, frames(100, 0, 2)}, {20, frames(100, 100, 12)}}, 0);
  CHECK(curve.mean_iterations[0] == 2);
  CHECK(curve.mean_iterations[15] == 7);
  CHECK(curve.mean_iterations.back() == 12);
  CHECK(curve.iterations_deviation[15] == 0);
  CHECK(MeasuredFrames{2, 0, 0, 4, 10}.iterations_deviation() == 1);
}

TEST_CASE("a curve needs measured frames") { CHECK_THROWS_AS(failure_curve({}, 0), std::invalid_argument); }

}  // namespace
}  // namespace nandscape::ecc
