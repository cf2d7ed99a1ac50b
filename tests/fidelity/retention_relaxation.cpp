// SPDX-License-Identifier: Apache-2.0
// Figures of Liu, Yang and Wu, "Optimizing NAND Flash-Based SSDs via Retention Relaxation" (FAST 2012).
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "catch.h"
#include "ecc/codes/uber.h"
#include "platform/studies/retention_relaxation/error_rates.h"
#include "platform/studies/retention_relaxation/fitted_cells.h"
#include "platform/studies/retention_relaxation/write_speed.h"

namespace nandscape {
namespace {

constexpr double correctable = 4.5e-4;  // C_BCH
constexpr double week = 7.0 / 365;
constexpr double ten_weeks = 10 * week;
constexpr double two_weeks = 2 * week;

const ErrorRates typical;

std::vector<ErrorRates> all_cases() {
  std::vector<ErrorRates> cases;
  for (const double exponent : {1.08, 1.25, 1.33}) {
    for (const double one_year_to_write : {150.0, 300.0, 450.0}) {
      for (const double write_high_share : {0.62, 0.81, 0.99}) {
        cases.push_back({correctable, exponent, one_year_to_write, write_high_share});
      }
    }
  }
  return cases;
}

TEST_CASE("retention relaxation: BCH of 24 bits per 1080 bytes tolerates 4.5e-4 at an UBER of 1e-16") {
  CHECK(ecc::tolerable_rber(ecc::bch_24_per_1080_bytes, 1e-16) == Approx(4.5e-4).epsilon(0.002));
  CHECK(ecc::log_uber(ecc::bch_24_per_1080_bytes, 4.5e-4) == Approx(std::log(1e-16)).epsilon(0.001));
}

TEST_CASE("retention relaxation: fitted tails reproduce their error rates") {
  for (const ErrorRates& rates : all_cases()) {
    CAPTURE(rates.exponent, rates.one_year_to_write, rates.write_high_share);
    const FittedCells cells(rates);
    const auto written = cells.levels().misplaced(cells.sigma_low(0), cells.sigma_high());
    CHECK(written.low == Approx(rates.write_low()).epsilon(1e-6));
    CHECK(written.high == Approx(rates.write_high()).epsilon(1e-6));
    for (const double years : {0.0, week, ten_weeks, 1.0}) {
      CHECK(cells.rber(years, 1) == Approx(rates.after(years)).epsilon(1e-9));
      CHECK(cells.sigma_low(years) < cells.sigma_low(years + week));
    }
  }
}

TEST_CASE("retention relaxation: data kept for less than a year are written faster, Algorithm 1") {
  const FittedCells cells(typical);
  CHECK(write_speedup(cells, 1, correctable) == Approx(1));
  CHECK(std::abs(write_speedup(cells, ten_weeks, correctable) - 1.86) < 0.02);
  CHECK(std::abs(write_speedup(cells, two_weeks, correctable) - 2.33) < 0.02);
}

TEST_CASE("retention relaxation: retention falls with the step, and speedup is its inverse") {
  const FittedCells cells(typical);
  double before = 2;
  for (double ratio = 1; ratio < 2.5; ratio += 0.1) {
    CAPTURE(ratio);
    const auto years = data_retention(cells, ratio, correctable);
    REQUIRE(years);
    CHECK(*years < before);
    CHECK(write_speedup(cells, *years, correctable) == Approx(ratio).epsilon(1e-6));
    before = *years;
  }
  // The write errors alone exceed the correctable rate.
  CHECK_FALSE(data_retention(cells, 3, correctable));
}

TEST_CASE("retention relaxation: speedups of the corner cases are close to the typical case's") {
  for (const double retention : {ten_weeks, two_weeks}) {
    const double speedup = write_speedup(FittedCells(typical), retention, correctable);
    double least = speedup, most = speedup;
    for (const ErrorRates& rates : all_cases()) {
      const double corner = write_speedup(FittedCells(rates), retention, correctable);
      least = std::min(least, corner);
      most = std::max(most, corner);
    }
    std::printf("speedup at %.0f weeks: %.3f, 27 cases from %.3f to %.3f\n", retention / week, speedup, least, most);
    CHECK(least > speedup - 0.15);
    CHECK(most < speedup + 0.15);
  }
}

TEST_CASE("retention relaxation: BCH retains data of worse cells for a shorter time, Algorithm 2") {
  const auto weeks = [](double at_one_year) {
    ErrorRates rates;
    rates.at_one_year = at_one_year;
    return data_retention(rates, correctable).value() / week;
  };
  CHECK(weeks(4.5e-4) * week == Approx(1));
  CHECK(weeks(3.5e-3) == Approx(10).epsilon(0.05));
  CHECK(weeks(2.2e-2) == Approx(2).epsilon(0.05));
  ErrorRates unusable;
  unusable.at_one_year = 0.2;
  CHECK_FALSE(data_retention(unusable, correctable));
}

// A device cannot solve for its tails at every read. From a week to a year they follow sigma_low(t)^2 = s0^2 + c^2
// t^m2.
TEST_CASE("retention relaxation: a power law of the tail's variance approximates the fitted tails") {
  constexpr double s0 = 0.0940, c = 0.1275, m2 = 0.32;
  const auto law = [](double years) { return std::sqrt(s0 * s0 + c * c * std::pow(years, m2)); };
  const FittedCells cells(typical);
  for (double years = week; years < 1; years *= 1.1) {
    CAPTURE(years);
    CHECK(law(years) == Approx(cells.sigma_low(years)).epsilon(0.002));
  }
  const auto within = [&](double ratio, double years) {
    return cells.levels().misplaced(law(years), cells.sigma_high(), ratio).total() <= correctable;
  };
  CHECK(within(1, 1));
  CHECK(within(1.86 - 0.01, ten_weeks));
  CHECK_FALSE(within(1.86 + 0.01, ten_weeks));
  CHECK(within(2.33 - 0.01, two_weeks));
  CHECK_FALSE(within(2.33 + 0.01, two_weeks));
}

}  // namespace
}  // namespace nandscape
