// SPDX-License-Identifier: Apache-2.0
// Computes the distributions of the threshold voltages of a device's cells at any condition. The model combines all
// effects that are described in the headers of this folder.
//
// A place is a voltage state of the cell, counted from the erased state, which is place 0. A coding uses either all
// places or some of them (see coding/coding.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nand/cells/condition.h"
#include "nand/cells/parameters.h"
#include "nand/cells/sense_timing.h"
#include "nand/cells/state_distribution.h"
#include "nand/coding/coding.h"

namespace nandscape::nand {

class VthModel {
 public:
  // `standard` contains the default sense times of the device.
  VthModel(const CellParameters& parameters, const SenseTiming& standard);

  std::uint32_t places() const { return static_cast<std::uint32_t>(centres_.size()); }
  const CellParameters& parameters() const { return parameters_; }
  const SenseTiming& standard_timing() const { return standard_; }

  // Returns the ISPP step in mV. A `step_mv` of 0 means the default step of the device.
  double step_of(double step_mv) const { return step_mv == 0 ? parameters_.placement.step_mv : step_mv; }
  // S, the drift of the page's top state.
  double drift(const CellCondition& condition, const PageVariation& page) const;
  // Returns the share of S that a cell of voltage x loses.
  double drift_share(double x) const { return share(parameters_.retention.low_state_share, x); }

  StateDistribution state(std::uint32_t place, const CellCondition& condition, const PageVariation& page,
                          double step_mv = 0) const;
  std::vector<StateDistribution> states(const Coding& coding, const CellCondition& condition, const PageVariation& page,
                                        double step_mv = 0) const;

  // Returns the levels of a read without a retry step. There is one level between each pair of neighbouring states of
  // the coding.
  std::vector<double> default_levels(const Coding& coding, const CellCondition& condition, double step_mv = 0) const;
  // Returns true if this retry step reads a page with the drift `drift_mv` at the page's own optimum levels. This is
  // always true for the step best_levels. `median_drift_mv` is the drift of the median wordline, which default levels
  // of the kind `followed` already include.
  bool captured(double drift_mv, double median_drift_mv, std::uint32_t retry_step) const;
  // The amounts in mV by which that retry step lowers each default level.
  std::vector<double> retry_moves(const Coding& coding, std::uint32_t retry_step) const;

  // Returns the level between the distributions of two states at which the fewest cells are misread.
  static double optimum(const StateDistribution& lower, const StateDistribution& upper);

 private:
  // Returns a share that is a linear function of the voltage x. It is `lowest` at the centre of the lowest programmed
  // state and 1 at the centre of the top state.
  double share(double lowest, double x) const;
  double default_level(std::uint32_t lower, std::uint32_t upper, const CellCondition& condition, double step_mv) const;
  // Returns the level that results if a level for fresh data is moved with the drift of the median wordline.
  double followed(double level, const CellCondition& condition) const;

  CellParameters parameters_;
  SenseTiming standard_;
  std::vector<double> centres_;         // centre of each place after programming with the default step
  std::vector<double> optimum_levels_;  // optimum level below each programmed place of a fresh median wordline
};

}  // namespace nandscape::nand
