// SPDX-License-Identifier: Apache-2.0
// The threshold voltages of a device's cells at any condition, all effects put together.
//
// A place is a voltage state of the cell, 0 being erased; a coding uses all places or some of them (coding/coding.h).
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
  // `standard` are the device's own times of a sense.
  VthModel(const CellParameters& parameters, const SenseTiming& standard);

  std::uint32_t places() const { return static_cast<std::uint32_t>(centres_.size()); }
  const CellParameters& parameters() const { return parameters_; }
  const SenseTiming& standard_timing() const { return standard_; }

  // The ISPP step, 0 standing for the device's own.
  double step_of(double step_mv) const { return step_mv == 0 ? parameters_.placement.step_mv : step_mv; }
  // S, the drift of the page's top state.
  double drift(const CellCondition& condition, const PageVariation& page) const;
  // Share of S that a cell of voltage x loses.
  double drift_share(double x) const { return share(parameters_.retention.low_state_share, x); }

  StateDistribution state(std::uint32_t place, const CellCondition& condition, const PageVariation& page,
                          double step_mv = 0) const;
  std::vector<StateDistribution> states(const Coding& coding, const CellCondition& condition, const PageVariation& page,
                                        double step_mv = 0) const;

  // Read levels of a coding as a plain read uses them, one between each two neighbouring states.
  std::vector<double> default_levels(const Coding& coding, const CellCondition& condition, double step_mv = 0) const;
  // Whether that retry step (best_levels: always) of a page of that drift is read at the page's own optimum. Default
  // levels may have followed the drift of the median wordline.
  bool captured(double drift_mv, double median_drift_mv, std::uint32_t retry_step) const;
  // By how much that retry step lowers each of them.
  std::vector<double> retry_moves(const Coding& coding, std::uint32_t retry_step) const;

  // The level between two distributions at which they misread least.
  static double optimum(const StateDistribution& lower, const StateDistribution& upper);

 private:
  // A straight line in the voltage, `lowest` at the lowest programmed state's centre and 1 at the top state's.
  double share(double lowest, double x) const;
  double default_level(std::uint32_t lower, std::uint32_t upper, const CellCondition& condition, double step_mv) const;
  // Where a level of fresh data is moved with the drift of the median wordline.
  double followed(double level, const CellCondition& condition) const;

  CellParameters parameters_;
  SenseTiming standard_;
  std::vector<double> centres_;         // of each place after programming, at the device's own step
  std::vector<double> optimum_levels_;  // below each programmed place, of a fresh median wordline
};

}  // namespace nandscape::nand
