// SPDX-License-Identifier: Apache-2.0
// Incremental step pulse programming (ISPP). The first pulse lifts each cell to a normally distributed voltage, which
// reflects how fast the cell can be programmed. Each additional pulse lifts the cells that are below the verify level
// of their state by one step, with Gaussian noise. A cell that has received all of the first n pulses has the voltage
//
//   start + (n - 1) step + N(0, speed_sigma^2 + (n - 1) noise^2).
//
// If this value is below the erased voltage of the cell, the pulses are still too weak for the cell, and it stays at
// its erased voltage.
//
// After each pulse, the verify levels that are in use are verified. The verification of a level begins with the pulse
// after which a share `cells_left_behind` of the cells, the fastest ones, has reached the level. It ends with the pulse
// after which at most the same share of the cells, the slowest ones, is below the level. Programming ends when the
// verification of all levels has ended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "nand/cells/cell_pieces.h"
#include "nand/cells/parameters.h"

namespace nandscape::nand {

struct IsppSetup {
  IsppParameters parameters;  // cells_left_behind must be above 0
  double step_mv = 0;         // must be above 0
  double noise_mv = 0;
  std::vector<double> verify_mv;  // verify levels of the programmed states, lowest first; at most 15
};

// Returns the setup for programming all states of cells with these constants. If `step_mv` is 0, the default step of
// the device is used.
IsppSetup ispp_setup(const CellParameters& cells, double step_mv = 0);

struct IsppResult {
  std::uint32_t pulses = 0;
  std::uint32_t verifies = 0;

  double latency_us(const IsppParameters& p) const { return pulses * p.t_pulse_us + verifies * p.t_verify_us; }
};

// The first and the last pulse after which a level is verified. Pulses are counted from 1.
struct VerifyWindow {
  std::uint32_t first_pulse = 1;
  std::uint32_t last_pulse = 1;
};

// Returns the expected window of each programmed state for a large number of cells. Throws std::invalid_argument if
// programming would need too many pulses.
std::vector<VerifyWindow> verify_windows(const IsppSetup& setup);

// Returns the expected numbers of pulses and verifies, computed from verify_windows().
IsppResult expected_ispp(const IsppSetup& setup);

// The state of the cells after one pulse. The vectors are indexed by state.
struct IsppTracePoint {
  std::vector<double> mean_mv;
  std::vector<double> finished;  // share of cells that have reached their verify level; 1 for erased cells
};

// Programs the cells of a wordline pulse by pulse. `vth` contains their erased voltages and receives the programmed
// ones. `state` contains 0 for each cell that stays erased, and otherwise the number of the programmed state. The team
// of `cells` applies each pulse. If `trace` is not null, a point is appended to it for each pulse.
IsppResult program_wordline(float* vth, const std::uint8_t* state, const CellPieces& cells, const IsppSetup& setup,
                            std::uint64_t key, std::vector<IsppTracePoint>* trace = nullptr);

}  // namespace nandscape::nand
