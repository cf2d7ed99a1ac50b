// SPDX-License-Identifier: Apache-2.0
// Computes the misread probabilities of one wordline at one condition.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nand/cells/sensing.h"
#include "nand/cells/vth_model.h"
#include "nand/coding/coding.h"

namespace nandscape::nand {

class WordlineReads {
 public:
  // Model and coding must outlive this object.
  WordlineReads(const VthModel& model, const Coding& coding, const CellCondition& condition, const PageVariation& page,
                double step_mv = 0);

  const Coding& coding() const { return coding_; }
  double drift() const { return drift_; }
  std::span<const StateDistribution> states() const { return states_; }

  // Returns true if this retry step is close enough to the drift of the wordline that the wordline is read at its own
  // optimum levels (see read_levels.h).
  bool captured(std::uint32_t retry_step) const;
  // Returns the read levels of a retry step, one between each pair of neighbouring states of the coding.
  std::vector<double> levels(std::uint32_t retry_step) const;
  // table_levels() returns the levels that result from the retry table. tracked_levels() returns the levels of a read
  // that tracks the drift of the page.
  std::vector<double> table_levels(std::uint32_t retry_step) const;
  std::vector<double> tracked_levels() const;
  const std::vector<double>& optimum_levels() const;

  // Each function returns the probability that a bit of the page is misread, assuming that all states are equally
  // likely: because of the cells' voltages alone, because of the senses alone, and because of both.
  double misread_by_vth(std::uint32_t page_type, std::span<const double> levels) const;
  double misread_by_sensing(std::uint32_t page_type, const SenseTiming& timing) const;
  SenseMisreads sense_misreads(const SenseTiming& timing) const;  // probabilities for a single sense
  double misread(std::uint32_t page_type, std::span<const double> levels, const SenseTiming& timing) const;
  double misread(std::uint32_t page_type, std::uint32_t retry_step) const {
    return misread(page_type, levels(retry_step), model_.standard_timing());
  }

 private:
  const VthModel& model_;
  const Coding& coding_;
  CellCondition condition_;
  double drift_;
  std::vector<StateDistribution> states_;
  std::vector<double> default_;
  mutable std::vector<double> optimum_;  // computed on first use, because the computation is slow
};

}  // namespace nandscape::nand
