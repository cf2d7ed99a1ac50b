// SPDX-License-Identifier: Apache-2.0
// Incremental step pulse programming. The first pulse lifts each cell to where its speed takes it, normally
// distributed; each further pulse lifts the cells below the verify level of their state by a step, with noise. After n
// pulses a cell that none of them skipped lies at
//
//   start + (n - 1) step + N(0, speed_sigma^2 + (n - 1) noise^2).
//
// Where that is below its erased position the pulses have not reached the cell yet: it stays erased until they do.
//
// After a pulse each level is verified that cells can have reached and that is not finished yet: from the pulse at
// which the share `cells_left_behind` of fast cells reaches it, to the one at which no more than that share of slow
// ones is below it. Once all levels are finished, so is programming.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "nand/cells/cell_kernels.h"
#include "nand/cells/parameters.h"

namespace nandscape::nand {

struct IsppSetup {
  IsppParameters parameters;  // of which cells_left_behind must be above 0
  double step_mv = 0;         // above 0
  double noise_mv = 0;
  std::vector<double> verify_mv;  // of the programmed states, lowest first: up to 15
};

// Programming cells with those constants to all their states; a step of 0 is their own.
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

// The window of each programmed state, expected of many cells. Throws std::invalid_argument when programming would not
// come to an end.
std::vector<VerifyWindow> verify_windows(const IsppSetup& setup);

// What programming takes, from those windows.
IsppResult expected_ispp(const IsppSetup& setup);

// The cells after one pulse, by state.
struct IsppTracePoint {
  std::vector<double> mean_mv;
  std::vector<double> finished;  // share of cells at or above their verify level; 1 for erased cells
};

// Programs the cells of a wordline pulse by pulse, from their erased positions `vth`; `state` holds 0 for those to stay
// erased, or the number of the programmed state. `trace` receives a point for each pulse when it is not null.
IsppResult program_wordline(float* vth, const std::uint8_t* state, std::size_t cells, const IsppSetup& setup,
                            std::uint64_t key, std::vector<IsppTracePoint>* trace = nullptr);

}  // namespace nandscape::nand
