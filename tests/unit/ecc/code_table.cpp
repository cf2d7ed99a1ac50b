// SPDX-License-Identifier: Apache-2.0
#include "ecc/measurement/code_table.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "catch.h"
#include "ecc/codes/uber.h"
#include "toy_codec.h"

namespace nandscape::ecc {
namespace {

CodeTable bch() {
  CodeMeasurement m{code_named("bch_1080_24"), 1, 1080, 8976, {}, {}};
  m.by_levels[1] = {{24, {100, 0, 0, 0, 0}}, {25, {100, 100, 0, 0, 0}}};
  return CodeTable(m);
}

CodeMeasurement gaussian() {
  CodeMeasurement m = nothing_of_toy();
  constexpr std::uint64_t frames = 100'000'000;
  for (std::uint32_t e = 30; e <= 90; e += 2) {
    const double failures = static_cast<double>(frames) * ToyCodec::failure_probability(e);
    m.by_levels[1][e] = {frames, static_cast<std::uint64_t>(std::llround(failures)), 0, frames * (e / 10), 0};
  }
  return m;
}

TEST_CASE("a step of failures gives the tail of the binomial distribution") {
  const CodeTable table = bch();
  for (const double rber : {1e-4, 4.5e-4, 1e-3, 2e-3, 3e-3, 1e-2}) {
    CAPTURE(rber);
    const double tail = std::exp(log_frame_error_rate({8976, 8640, 24}, rber));
    CHECK(table.frame_error_rate(1, rber).rate == Approx(tail).epsilon(1e-9));
    CHECK(table.uber(1, rber).rate == Approx(tail / 8640).epsilon(1e-9));
  }
  CHECK(table.frame_error_rate(1, 0).rate == 0);
  CHECK(table.frame_error_rate(1, 1).rate == 1);
}

TEST_CASE("the RBER at a frame error rate is its inverse") {
  const CodeTable table = bch();
  for (const double rate : {0.5, 1e-2, 1e-5, 1e-12, 1e-16}) {
    CHECK(table.frame_error_rate(1, table.rber_at(1, rate)).rate == Approx(rate).epsilon(1e-6));
  }
  CHECK(table.rber_at(1, 8640 * 1e-16) == Approx(tolerable_rber({8976, 8640, 24}, 1e-16)).epsilon(1e-6));
}

TEST_CASE("the bounds of an RBER are where the bounds of the frame error rate reach that rate") {
  CodeMeasurement few = gaussian();
  for (auto& [errors, m] : few.by_levels[1]) m = {m.frames / 10'000, m.failures / 10'000, 0, 0, 0};
  const CodeTable table(few);
  for (const double rate : {0.1, 1e-3, 1e-6, 1e-12}) {
    CAPTURE(rate);
    const RateEstimate rber = table.rber_estimate_at(1, rate);
    CHECK(rber.rate == table.rber_at(1, rate));
    CHECK(table.frame_error_rate(1, rber.low).high == Approx(rate).epsilon(1e-6));
    CHECK(table.frame_error_rate(1, rber.high).low == Approx(rate).epsilon(1e-6));
    CHECK(rber.low < rber.rate);
    CHECK(rber.rate < rber.high);
  }
  // All of the hundred frames failed, but a small share of such codewords may still be correctable.
  CHECK(bch().rber_estimate_at(1, 0.99).high == 0.5);
}

TEST_CASE("a rate counts as extrapolated when over half of the failures have fewer errors than any measured") {
  const CodeTable table(gaussian());
  const std::uint32_t lowest = table.curve(1).lowest_known;
  const auto share_measured = [&](double rber) {
    std::vector<double> measured = table.curve(1).rate;
    std::fill_n(measured.begin(), lowest, 0.0);
    return binomial_mean(measured, ToyCodec::bits, rber) / table.frame_error_rate(1, rber).rate;
  };
  double last_known = 1;
  for (double rber = 0.02; rber > 1e-3; rber *= 0.999) {
    const double decades = table.extrapolated_decades(1, rber), rate = table.frame_error_rate(1, rber).rate;
    CAPTURE(rber, rate);
    if (share_measured(rber) >= 0.5) {
      CHECK(decades == 0);
      last_known = rate;
    } else {
      CHECK(decades == Approx(std::log10(last_known / rate)).margin(0.02));
    }
  }
  CHECK(last_known < 1e-6);
  CHECK(table.extrapolated_decades(1, 1e-3) > 3);
  // This code always corrects up to 24 errors. It was measured at all numbers of errors above, so nothing is
  // extrapolated.
  for (const double rber : {0.0, 1e-9, 4.5e-4, 1e-2, 1.0}) CHECK(bch().extrapolated_decades(1, rber) == 0);
}

TEST_CASE("a waterfall of failures gives the sum over the binomial distribution") {
  const CodeTable table(gaussian());
  for (const double rber : {0.012, 0.016, 0.02, 0.03}) {
    CAPTURE(rber);
    double sum = 0, log_term = ToyCodec::bits * std::log1p(-rber);
    for (std::uint32_t e = 0; e <= ToyCodec::bits; ++e) {
      sum += std::exp(log_term) * ToyCodec::failure_probability(e);
      log_term += std::log((ToyCodec::bits - e) / (e + 1.0) * rber / (1 - rber));
    }
    const RateEstimate failing = table.frame_error_rate(1, rber);
    CHECK(failing.rate == Approx(sum).epsilon(0.005));
    CHECK(failing.low <= failing.rate);
    CHECK(failing.rate <= failing.high);
    CHECK(failing.low > 0.97 * sum);
    CHECK(failing.high < 1.03 * sum);
  }
  // Decoding needs 2 to 8 iterations, one more for every ten errors. The mean number of iterations therefore follows
  // from the mean number of errors.
  CHECK(table.mean_iterations_at(1, 50.0 / ToyCodec::bits) == Approx(4.6).margin(0.1));
}

TEST_CASE("an unmeasured number of sensing levels uses the next lower measured one") {
  CodeMeasurement m = bch().measurement();
  m.by_levels[3] = {{24, {100, 0, 0, 0, 0}}, {30, {100, 100, 0, 500, 2500}}};
  const CodeTable table(m);
  for (const std::uint32_t levels : {1u, 2u}) CHECK(table.failure_probability(levels, 26) == 1);
  for (const std::uint32_t levels : {3u, 4u, 7u}) {
    CHECK(table.failure_probability(levels, 26) < 1);
    CHECK(table.mean_iterations(levels, 1000) == 5);
  }
  CHECK_THROWS_AS(table.failure_probability(0, 26), std::out_of_range);
  CHECK_THROWS_AS(table.failure_probability(8, 26), std::out_of_range);
  m.by_levels.erase(1);
  CHECK_THROWS_AS(CodeTable(m).failure_probability(2, 26), std::out_of_range);
}

TEST_CASE("errors in excess of the usual number for a soft read's channel do less harm") {
  CodeMeasurement m = gaussian();
  m.by_levels[3] = m.by_levels[1];
  // Codewords with 60 errors on the channel for 48 errors fail as often as codewords with 57 errors. This is a quarter
  // of the way from 60 to 48 errors.
  m.off_channel[3] = {60, 48, {1'000'000, 0, 0, 0, 0}};
  m.off_channel[3].frames.failures = std::llround(1e6 * ToyCodec::failure_probability(57));
  const CodeTable table(m);
  CHECK(table.channel_share(1) == 0);
  CHECK(table.channel_share(3) == Approx(0.25).epsilon(0.02));
  const double rber = 40.0 / ToyCodec::bits;
  CHECK(table.equivalent_errors(3, 60, rber) == Approx(55).epsilon(0.01));
  double sum = 0, log_term = ToyCodec::bits * std::log1p(-rber);
  for (std::uint32_t e = 0; e <= ToyCodec::bits; ++e) {
    sum += std::exp(log_term) * ToyCodec::failure_probability(table.equivalent_errors(3, e, rber));
    log_term += std::log((ToyCodec::bits - e) / (e + 1.0) * rber / (1 - rber));
  }
  CHECK(table.frame_error_rate(3, rber).rate == Approx(sum).epsilon(0.02));
  CHECK(table.frame_error_rate(3, rber).rate < table.frame_error_rate(1, rber).rate);
  CHECK(table.frame_error_rate(3, table.rber_at(3, 1e-4)).rate == Approx(1e-4).epsilon(1e-6));
}

TEST_CASE("a table needs measured frames") { CHECK_THROWS_AS(CodeTable(nothing_of_toy()), std::invalid_argument); }

}  // namespace
}  // namespace nandscape::ecc
