// SPDX-License-Identifier: Apache-2.0
#include "nand/ispp/ispp.h"

#include <stdexcept>

#include "catch.h"
#include "unit/nand/cell_statistics.h"

namespace nandscape::nand {
namespace {

constexpr float erased_mean_mv = -2500;
constexpr float erased_sigma_mv = 200;

IsppSetup tlc(double step_mv, double noise_mv) {
  IsppSetup setup;
  setup.step_mv = step_mv;
  setup.noise_mv = noise_mv;
  setup.verify_mv = {675, 1375, 2075, 2775, 3475, 4175, 4875};
  return setup;
}

struct Wordline {
  Wordline(std::size_t cells, std::uint64_t key) : state(cells), vth(cells) {
    random_states(state.data(), cells, 8, key);
    erase_draw(vth.data(), cells, erased_mean_mv, erased_sigma_mv, key);
  }

  IsppResult program(const IsppSetup& setup, std::uint64_t key, std::vector<IsppTracePoint>* trace = nullptr) {
    return program_wordline(vth.data(), state.data(), state.size(), setup, key, trace);
  }

  std::vector<std::uint8_t> state;
  std::vector<float> vth;
};

TEST_CASE("ispp: pulses and verifies in closed form agree with a wordline programmed pulse by pulse") {
  for (const double step : {100, 150, 200, 250, 300, 400, 500}) {
    for (const double noise : {0.0, 0.1}) {
      CAPTURE(step, noise);
      const IsppSetup setup = tlc(step, noise * step);
      const IsppResult expected = expected_ispp(setup);
      const IsppResult result = Wordline(131072, 1).program(setup, 1);
      CHECK(std::fabs(static_cast<double>(result.pulses) - expected.pulses) <= 1);
      CHECK(std::fabs(static_cast<double>(result.verifies) - expected.verifies) <= 7);
      CHECK(result.latency_us(setup.parameters) ==
            Approx(expected.latency_us(setup.parameters)).margin(15 + 7 * 8 + 1e-9));
    }
  }
}

TEST_CASE("ispp: a larger step takes fewer pulses and less time") {
  const IsppResult small = expected_ispp(tlc(150, 0)), large = expected_ispp(tlc(300, 0));
  CHECK(large.pulses < small.pulses);
  CHECK(large.latency_us({}) < small.latency_us({}));
}

TEST_CASE("ispp: each level is verified from when fast cells reach it until slow ones have") {
  IsppSetup setup = tlc(250, 0);
  setup.parameters.speed_sigma_mv = 0;
  setup.parameters.start_mv = 0;
  // At the fourth pulse, which is at 750 mV, all cells rise above 675 mV at the same time.
  const std::vector<VerifyWindow> windows = verify_windows(setup);
  CHECK(windows[0].first_pulse == 4);
  CHECK(windows[0].last_pulse == 4);
  CHECK(windows[6].last_pulse == 21);
  CHECK(expected_ispp(setup).pulses == 21);
  CHECK(expected_ispp(setup).verifies == 7);
  CHECK(expected_ispp(setup).latency_us({.t_pulse_us = 10, .t_verify_us = 1}) == 217);
}

TEST_CASE("ispp: a setup that would not terminate is refused") {
  CHECK_THROWS_AS(expected_ispp(tlc(0, 0)), std::invalid_argument);
  CHECK_THROWS_AS(expected_ispp(tlc(1e-3, 0)), std::invalid_argument);
  IsppSetup none_behind = tlc(250, 0);
  none_behind.parameters.cells_left_behind = 0;
  CHECK_THROWS_AS(expected_ispp(none_behind), std::invalid_argument);
  IsppSetup no_levels = tlc(250, 0);
  no_levels.verify_mv.clear();
  CHECK_THROWS_AS(expected_ispp(no_levels), std::invalid_argument);
}

// Returns an ISPP setup in which cells differ in speed by more than a step. The cells therefore reach each level at any
// phase of the steps.
IsppSetup any_phase(double step_mv, double noise_mv) {
  IsppSetup setup = tlc(step_mv, noise_mv);
  setup.parameters.speed_sigma_mv = 300;
  setup.parameters.start_mv = -2000;
  setup.parameters.cells_left_behind = 1e-9;
  return setup;
}

Histogram overshoots(const std::vector<float>& vth, const std::vector<std::uint8_t>& state, const IsppSetup& setup) {
  Histogram histogram(0, setup.step_mv + 5 * setup.noise_mv, 100);
  for (std::size_t i = 0; i < vth.size(); ++i) {
    if (state[i] != 0) histogram.add(vth[i] - setup.verify_mv[state[i] - 1u]);
  }
  return histogram;
}

ProgrammedCells positions_of(const IsppSetup& setup) {
  ProgrammedCells cells;
  cells.erased_mean_mv = erased_mean_mv;
  cells.erased_sigma_mv = erased_sigma_mv;
  for (std::size_t s = 1; s < 8; ++s) cells.verify_mv[s] = static_cast<float>(setup.verify_mv[s - 1]);
  cells.step_mv = static_cast<float>(setup.step_mv);
  cells.noise_mv = static_cast<float>(setup.noise_mv);
  return cells;
}

TEST_CASE("ispp: cells end above their verify level by the overshoot of the step that crosses it") {
  for (const double noise : {0, 25, 50}) {
    CAPTURE(noise);
    const IsppSetup setup = any_phase(250, noise);
    const auto below = [&](double y) { return overshoot_below(y, setup.step_mv, setup.noise_mv); };
    constexpr std::size_t cells = 1 << 20;
    Wordline programmed(cells, 2);
    programmed.program(setup, 3);
    Wordline drawn(cells, 2);
    draw_programmed(drawn.vth.data(), drawn.state.data(), cells, positions_of(setup), 4);

    const Histogram by_pulses = overshoots(programmed.vth, programmed.state, setup);
    const Histogram at_once = overshoots(drawn.vth, drawn.state, setup);
    CHECK(chi_square_excess(by_pulses, below) < 5);
    CHECK(chi_square_excess(at_once, below) < 5);
    CHECK(two_sample_excess(by_pulses, at_once) < 5);

    Histogram erased(erased_mean_mv - 5 * erased_sigma_mv, erased_mean_mv + 5 * erased_sigma_mv, 100);
    for (std::size_t i = 0; i < cells; ++i) {
      if (drawn.state[i] == 0) erased.add(drawn.vth[i]);
    }
    CHECK(chi_square_excess(erased, [](double v) { return upper_tail((erased_mean_mv - v) / erased_sigma_mv); }) < 5);
  }
}

TEST_CASE("ispp: drawn positions have the density of the overshoot to a few parts in ten thousand") {
  const IsppSetup setup = any_phase(250, 50);
  constexpr std::size_t cells = 1 << 20;
  const std::vector<std::uint8_t> state(cells, 1);
  std::vector<float> vth(cells);
  Histogram histogram(0, 500, 50);
  for (std::uint64_t key = 0; key < 16; ++key) {
    draw_programmed(vth.data(), state.data(), cells, positions_of(setup), key);
    for (const float v : vth) histogram.add(v - 675);
  }
  CHECK(chi_square_excess(histogram, [](double y) { return overshoot_below(y, 250, 50); }) < 5);
}

TEST_CASE("ispp: the trace shows how the states finish, one after another") {
  std::vector<IsppTracePoint> trace;
  const IsppSetup setup = tlc(250, 10);
  Wordline wordline(131072, 5);
  const IsppResult result = wordline.program(setup, 5, &trace);
  REQUIRE(trace.size() == result.pulses);
  for (std::size_t pulse = 0; pulse < trace.size(); ++pulse) {
    CHECK(trace[pulse].finished[0] == 1);
    CHECK(trace[pulse].mean_mv[0] == Approx(erased_mean_mv).margin(10));
    for (std::size_t s = 2; s < 8; ++s) CHECK(trace[pulse].finished[s] <= trace[pulse].finished[s - 1] + 1e-4);
    if (pulse == 0) continue;
    for (std::size_t s = 1; s < 8; ++s) CHECK(trace[pulse].mean_mv[s] >= trace[pulse - 1].mean_mv[s]);
  }
  // The cells of the top state must rise by one step with each pulse until they reach their level.
  CHECK(trace[5].mean_mv[7] - trace[4].mean_mv[7] == Approx(250).margin(1));
  for (std::size_t s = 1; s < 8; ++s) CHECK(trace.back().finished[s] >= 1 - setup.parameters.cells_left_behind);
}

TEST_CASE("ispp: states without cells cost neither pulses nor verifies") {
  IsppSetup setup = tlc(250, 0);
  std::vector<std::uint8_t> state(1000, 0);
  std::vector<float> vth(1000, erased_mean_mv);
  const IsppResult none = program_wordline(vth.data(), state.data(), state.size(), setup, 1);
  CHECK(none.pulses == 0);
  CHECK(none.verifies == 0);
  state.assign(1000, 1);
  const IsppResult lowest = program_wordline(vth.data(), state.data(), state.size(), setup, 1);
  CHECK(lowest.pulses <= verify_windows(setup)[0].last_pulse + 1);
}

}  // namespace
}  // namespace nandscape::nand
