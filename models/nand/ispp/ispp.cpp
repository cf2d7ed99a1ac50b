// SPDX-License-Identifier: Apache-2.0
#include "nand/ispp/ispp.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "core/interruption.h"

namespace nandscape::nand {

namespace {

// The limit is far above the number of pulses that any device needs. If a configuration needs more, its step is wrong.
constexpr std::uint32_t most_pulses = 100'000;

// Numbers of cells, to which several threads add.
using CountsByState = std::array<std::atomic<std::size_t>, max_cell_states>;

constexpr float infinity = std::numeric_limits<float>::infinity();

void check(const IsppSetup& setup) {
  if (!(setup.step_mv > 0)) throw std::invalid_argument("an ISPP step must lift cells");
  if (!(setup.parameters.cells_left_behind > 0))
    throw std::invalid_argument("some cells must be allowed to stay behind");
  if (setup.verify_mv.empty() || setup.verify_mv.size() >= max_cell_states) {
    throw std::invalid_argument("a cell has 1 to 15 programmed states");
  }
}

// Returns the expected share of cells that are below a level after `pulses` pulses.
double below(const IsppSetup& setup, double level_mv, std::uint32_t pulses) {
  const double further = pulses - 1;
  const double mean = setup.parameters.start_mv + further * setup.step_mv;
  const double sigma = std::sqrt(setup.parameters.speed_sigma_mv * setup.parameters.speed_sigma_mv +
                                 further * setup.noise_mv * setup.noise_mv);
  if (sigma == 0) return mean < level_mv ? 1 : 0;
  return 0.5 * std::erfc((mean - level_mv) / (std::numbers::sqrt2 * sigma));
}

float verify_level_of(const IsppSetup& setup, std::size_t state) {
  return static_cast<float>(setup.verify_mv[state - 1]);
}

void apply_pulse(float* vth, const std::uint8_t* state, CellRange cells, const IsppSetup& setup,
                 const StateTable& inhibit_above, std::uint64_t key, std::uint32_t pulse) {
  if (pulse == 1) {
    first_pulse(vth, state, cells, static_cast<float>(setup.parameters.start_mv),
                static_cast<float>(setup.parameters.speed_sigma_mv), key);
  } else {
    program_pulse(vth, state, cells, inhibit_above, static_cast<float>(setup.step_mv),
                  static_cast<float>(setup.noise_mv), key, pulse);
  }
}

IsppTracePoint trace_point(const float* vth, const std::vector<float>& erased, const std::uint8_t* state,
                           std::size_t cells, const std::vector<double>& verify_mv) {
  const std::size_t states = verify_mv.size() + 1;
  IsppTracePoint point{std::vector<double>(states), std::vector<double>(states)};
  std::vector<double> count(states);
  for (std::size_t i = 0; i < cells; ++i) {
    const std::uint8_t s = state[i];
    ++count[s];
    point.mean_mv[s] += std::max(vth[i], erased[i]);
    point.finished[s] += s == 0 || vth[i] >= static_cast<float>(verify_mv[s - 1]);
  }
  for (std::size_t s = 0; s < states; ++s) {
    if (count[s] == 0) continue;
    point.mean_mv[s] /= count[s];
    point.finished[s] /= count[s];
  }
  return point;
}

}  // namespace

IsppSetup ispp_setup(const CellParameters& cells, double step_mv) {
  const double step = step_mv == 0 ? cells.placement.step_mv : step_mv;
  IsppSetup setup{cells.ispp, step, cells.placement.pulse_noise_mv, {}};
  for (std::size_t state = 1; state <= cells.placement.verify_mv.size(); ++state) {
    setup.verify_mv.push_back(verify_level(cells.placement, state, step));
  }
  return setup;
}

std::vector<VerifyWindow> verify_windows(const IsppSetup& setup) {
  check(setup);
  const double share = setup.parameters.cells_left_behind;
  std::vector<VerifyWindow> windows;
  for (const double level : setup.verify_mv) {
    VerifyWindow window;
    while (1 - below(setup, level, window.first_pulse) < share && window.first_pulse < most_pulses) {
      ++window.first_pulse;
    }
    window.last_pulse = window.first_pulse;
    while (below(setup, level, window.last_pulse) > share && window.last_pulse < most_pulses) ++window.last_pulse;
    if (window.last_pulse == most_pulses) throw std::invalid_argument("programming would take too many pulses");
    windows.push_back(window);
  }
  return windows;
}

IsppResult expected_ispp(const IsppSetup& setup) {
  IsppResult result;
  for (const VerifyWindow& window : verify_windows(setup)) {
    result.pulses = std::max(result.pulses, window.last_pulse);
    result.verifies += window.last_pulse - window.first_pulse + 1;
  }
  return result;
}

IsppResult program_wordline(float* vth, const std::uint8_t* state, const CellPieces& cells, const IsppSetup& setup,
                            std::uint64_t key, std::vector<IsppTracePoint>* trace) {
  const std::vector<VerifyWindow> windows = verify_windows(setup);
  const std::size_t states = setup.verify_mv.size() + 1;

  StateTable inhibit_above;  // by state: infinity before the first verify, -infinity when the state is finished
  inhibit_above.fill(-infinity);
  std::vector<double> allowed_below(states);
  std::size_t unfinished = 0;
  CountsByState programmed = {};
  cells.for_each([&](CellRange range) {
    for (std::uint8_t s = 1; s < states; ++s) programmed[s] += count_below(vth, state, range, s, infinity);
  });
  for (std::uint8_t s = 1; s < states; ++s) {
    if (programmed[s] == 0) continue;
    allowed_below[s] = setup.parameters.cells_left_behind * static_cast<double>(programmed[s]);
    inhibit_above[s] = infinity;
    ++unfinished;
  }

  std::vector<float> erased;
  if (trace != nullptr) erased.assign(vth, vth + cells.cells());

  IsppResult result;
  while (unfinished > 0) {
    if (++result.pulses > most_pulses) throw std::invalid_argument("programming takes too many pulses");
    const auto verified = [&](std::size_t s) {
      return inhibit_above[s] != -infinity && result.pulses >= windows[s - 1].first_pulse;
    };
    CountsByState below = {};
    cells.for_each([&](CellRange range) {
      apply_pulse(vth, state, range, setup, inhibit_above, key, result.pulses);
      for (std::uint8_t s = 1; s < states; ++s) {
        if (verified(s)) below[s] += count_below(vth, state, range, s, verify_level_of(setup, s));
      }
    });
    for (std::uint8_t s = 1; s < states; ++s) {
      if (!verified(s)) continue;
      ++result.verifies;
      inhibit_above[s] = verify_level_of(setup, s);
      if (static_cast<double>(below[s]) > allowed_below[s]) continue;
      inhibit_above[s] = -infinity;
      --unfinished;
    }
    if (trace == nullptr) continue;
    interruption_point();  // allows cancellation, since a trace runs outside of the event loop
    trace->push_back(trace_point(vth, erased, state, cells.cells(), setup.verify_mv));
  }
  return result;
}

}  // namespace nandscape::nand
