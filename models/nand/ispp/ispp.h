// SPDX-License-Identifier: Apache-2.0
// Incremental step pulse programming. The first pulse lifts each cell to a normally distributed voltage that reflects
// its speed. Each further pulse lifts the cells below the verify level of their state by a step, with noise. After n
// pulses a cell that no pulse skipped lies at
//
//   start + (n - 1) step + N(0, speed_sigma^2 + (n - 1) noise^2).
//
// If that is below its erased voltage, the pulses have not reached the cell yet, and it stays erased until they do.
//
// After each pulse, every level that cells can have reached and that is not finished is verified. A level is verified
// from the pulse at which the share `cells_left_behind` of fast cells reaches it to the pulse after which at most that
// share of slow cells is below it. Programming ends when all levels are finished.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "nand/cells/cell_kernels.h"
#include "nand/cells/parameters.h"

namespace nandscape::nand {

struct IsppSetup {
  IsppParameters parameters;  // cells_left_behind must be above 0
  double step_mv = 0;         // above 0
  double noise_mv = 0;
  std::vector<double> verify_mv;  // verify levels of the programmed states, lowest first, up to 15
};

// Setup for programming all states of cells with these constants; a step of 0 is the device's own.
IsppSetup ispp_setup(const CellParameters& cells, double step_mv = 0);

struct IsppResult {
  std::uint32_t pulses = 0;
  std::uint32_t verifies = 0;

  double latency_us(const IsppParameters& p) const { return pulses * p.t_pulse_us + verifies * p.t_verify_us; }
};

// The pulses after which a level is verified, counted from 1.
struct VerifyWindow {
  std::uint32_t first_pulse = 1;
  std::uint32_t last_pulse = 1;
};

// The expected window of each programmed state, for many cells. Throws std::invalid_argument if programming would not
// end.
std::vector<VerifyWindow> verify_windows(const IsppSetup& setup);

// The expected pulses and verifies, from those windows.
IsppResult expected_ispp(const IsppSetup& setup);

// The cells after one pulse, by state.
struct IsppTracePoint {
  std::vector<double> mean_mv;
  std::vector<double> finished;  // share of cells at or above their verify level; 1 for erased cells
};

// Programs the cells of a wordline pulse by pulse, from their erased voltages `vth`. `state` holds 0 for cells that
// stay erased, or the number of the programmed state. `trace` receives a point for each pulse unless it is null.
IsppResult program_wordline(float* vth, const std::uint8_t* state, std::size_t cells, const IsppSetup& setup,
                            std::uint64_t key, std::vector<IsppTracePoint>* trace = nullptr);

}  // namespace nandscape::nand
