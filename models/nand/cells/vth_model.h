// SPDX-License-Identifier: Apache-2.0
// The threshold voltages of a device's cells at any condition, with all effects combined.
//
// A place is a voltage state of the cell; place 0 is the erased state. A coding uses all places or some of them
// (coding/coding.h).
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
  // `standard` holds the device's own sense times.
  VthModel(const CellParameters& parameters, const SenseTiming& standard);

  std::uint32_t places() const { return static_cast<std::uint32_t>(centres_.size()); }
  const CellParameters& parameters() const { return parameters_; }
  const SenseTiming& standard_timing() const { return standard_; }

  // The ISPP step; 0 stands for the device's own.
  double step_of(double step_mv) const { return step_mv == 0 ? parameters_.placement.step_mv : step_mv; }
  // S, the drift of the page's top state.
  double drift(const CellCondition& condition, const PageVariation& page) const;
  // Share of S that a cell of voltage x loses.
  double drift_share(double x) const { return share(parameters_.retention.low_state_share, x); }

  StateDistribution state(std::uint32_t place, const CellCondition& condition, const PageVariation& page,
                          double step_mv = 0) const;
  std::vector<StateDistribution> states(const Coding& coding, const CellCondition& condition, const PageVariation& page,
                                        double step_mv = 0) const;

  // The read levels of a plain read in a coding, one between each two neighbouring states.
  std::vector<double> default_levels(const Coding& coding, const CellCondition& condition, double step_mv = 0) const;
  // Whether that retry step (best_levels: always) reads a page with that drift at the page's own optimum.
  // `median_drift_mv`: the drift of the median wordline, which default levels of kind `followed` already include.
  bool captured(double drift_mv, double median_drift_mv, std::uint32_t retry_step) const;
  // The amounts in mV by which that retry step lowers each default level.
  std::vector<double> retry_moves(const Coding& coding, std::uint32_t retry_step) const;

  // The level between two distributions at which the fewest cells are misread.
  static double optimum(const StateDistribution& lower, const StateDistribution& upper);

 private:
  // A share that is linear in the voltage: `lowest` at the lowest programmed state's centre, 1 at the top state's.
  double share(double lowest, double x) const;
  double default_level(std::uint32_t lower, std::uint32_t upper, const CellCondition& condition, double step_mv) const;
  // A level of fresh data, moved with the drift of the median wordline.
  double followed(double level, const CellCondition& condition) const;

  CellParameters parameters_;
  SenseTiming standard_;
  std::vector<double> centres_;         // centre of each place after programming, at the device's own step
  std::vector<double> optimum_levels_;  // level below each programmed place, for a fresh median wordline
};

}  // namespace nandscape::nand
