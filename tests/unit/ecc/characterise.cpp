// SPDX-License-Identifier: Apache-2.0
#include "ecc/measurement/characterise.h"

#include <cmath>

#include "catch.h"
#include "ecc/measurement/code_table.h"
#include "toy_codec.h"

namespace nandscape::ecc {
namespace {

constexpr CharacterisationGoal goal = {1e-5, 0.1, 128};

Characterisation of_toy(CodeMeasurement measured, std::size_t threads) {
  std::vector<std::unique_ptr<Codec>> codecs;
  for (std::size_t k = 0; k < threads; ++k) codecs.push_back(std::make_unique<ToyCodec>());
  return {std::move(measured), std::move(codecs)};
}

CodeMeasurement finished(const CharacterisationGoal& wanted, std::size_t threads) {
  Characterisation run = of_toy(nothing_of_toy(), threads);
  while (run.advance(1, wanted)) {
  }
  return run.measurement();
}

TEST_CASE("a characterisation finds the frame error rates of the code") {
  const CodeMeasurement measured = finished(goal, 1);
  const CodeTable table(measured);
  std::uint64_t frames = 0;
  for (const auto& [errors, m] : measured.by_levels.at(1)) frames += m.frames;
  CAPTURE(frames);
  CHECK(frames < 300'000);  // plain simulation at a rate of 1e-5 would need 1e8 frames for 1000 failures
  CHECK(relative_error(measured, 1, 1e-5) < 0.1);
  for (double rate = 0.1; rate > 0.9e-5; rate /= 10) {
    const double rber = table.rber_at(1, rate);
    double truth = 0, log_term = ToyCodec::bits * std::log1p(-rber);
    for (std::uint32_t e = 0; e <= ToyCodec::bits; ++e) {
      truth += std::exp(log_term) * ToyCodec::failure_probability(e);
      log_term += std::log((ToyCodec::bits - e) / (e + 1.0) * rber / (1 - rber));
    }
    CAPTURE(rate, truth, table.frame_error_rate(1, rber).low, table.frame_error_rate(1, rber).high);
    CHECK(rate == Approx(truth).epsilon(0.3));
    CHECK(table.frame_error_rate(1, rber).low <= truth);
    CHECK(table.frame_error_rate(1, rber).high >= truth);
  }
  for (std::uint32_t e = 0; e < 60; e += 8) {
    CHECK(table.mean_iterations(1, e) == Approx(ToyCodec::mean_iterations(e)).margin(1.0));
  }
}

TEST_CASE("half of the toy's failures are reported as corrected") {
  MeasuredFrames sum;
  ToyCodec codec;
  for (std::uint64_t chunk = 0; chunk < 100; ++chunk)
    sum += measure_chunk(codec, nothing_of_toy(), {1, 90, 90, 0, 1}, chunk);
  CHECK(sum.frames == 1600);
  CHECK(sum.failures == 1600);
  CHECK(std::abs(static_cast<double>(sum.miscorrections) - 800) < 100);
  CHECK(sum.mean_iterations() == 12);
}

TEST_CASE("an interrupted characterisation gives the same result as an uninterrupted one, on any number of threads") {
  constexpr CharacterisationGoal quick = {1e-3, 0.2, 128};
  const CodeMeasurement whole = finished(quick, 1);
  CHECK(finished(quick, 3) == whole);
  CodeMeasurement measured = nothing_of_toy();
  for (bool more = true; more;) {
    Characterisation run = of_toy(measured, 2);
    for (int k = 0; k < 7 && more; ++k) more = run.advance(1, quick);
    measured = run.measurement();
  }
  CHECK(measured == whole);
}

TEST_CASE("another seed measures other frames") {
  CodeMeasurement other = nothing_of_toy();
  other.seed = 8;
  ToyCodec codec;
  const CharacterisationStep step = {1, 60, 60, 0, 1};
  CHECK_FALSE(measure_chunk(codec, other, step, 0) == measure_chunk(codec, nothing_of_toy(), step, 0));
}

}  // namespace
}  // namespace nandscape::ecc
