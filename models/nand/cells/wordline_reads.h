// SPDX-License-Identifier: Apache-2.0
// Misreads when one wordline is read at one condition.
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

  // Whether that retry step comes near the page's own drift and therefore reads at the page's optimum.
  bool captured(std::uint32_t retry_step) const;
  // One level between each two neighbouring states of the coding.
  std::vector<double> levels(std::uint32_t retry_step) const;
  // Levels of the retry table, and levels of a read that tracks the page's drift.
  std::vector<double> table_levels(std::uint32_t retry_step) const;
  std::vector<double> tracked_levels() const;
  const std::vector<double>& optimum_levels() const;

  // Probability that a bit of the page is misread if all states are equally likely: by the position of Vth alone, by
  // the senses alone, and by both.
  double misread_by_vth(std::uint32_t page_type, std::span<const double> levels) const;
  double misread_by_sensing(std::uint32_t page_type, const SenseTiming& timing) const;
  SenseMisreads sense_misreads(const SenseTiming& timing) const;  // for each sense
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
  mutable std::vector<double> optimum_;  // computed on first use, since it takes longer than the rest
};

}  // namespace nandscape::nand
