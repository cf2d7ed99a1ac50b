// SPDX-License-Identifier: Apache-2.0
// Chooses the ISPP step of a page [Sha, section IV-B1, Table II]. A larger step programs faster and leaves more errors.
// It is legal as long as the resulting CDBER is correctable. The table holds error rates, not cells; its creator
// computes them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "controller/content/cdber.h"

namespace nandscape::controller {

class WriteSpeedTable {
 public:
  // An ISPP step. The first, the device's own, is used when no other is legal.
  struct Step {
    double step_mv = 0;
    double program_us = 0;
    StateErrorRates errors;  // at the end of the required retention time
  };

  // Throws std::invalid_argument if there is no step or if the steps do not rise.
  WriteSpeedTable(std::vector<Step> steps, double correctable_ber, std::uint32_t cells);

  std::span<const Step> steps() const { return steps_; }
  double correctable_ber() const { return correctable_ber_; }
  std::uint32_t cells() const { return cells_; }  // of a wordline
  // The largest number of weak cells (weak_cells()) with which a step is legal by the relaxed CDBER. Negative if it
  // never is.
  std::int64_t most_weak_cells(PairedPage page, std::uint32_t step) const { return most_[index(page)][step]; }

  // The number of the largest legal step for a page of a wordline with these states: from the relaxed CDBER, which only
  // compares integers, and from the exact one ("optimal" in the paper).
  std::uint32_t relaxed(PairedPage page, const StateCounts& states) const;
  std::uint32_t optimal(PairedPage page, const StateCounts& states) const;
  // The largest step legal for both pages, for wordlines that are programmed with one step.
  std::uint32_t relaxed(const StateCounts& states) const;

 private:
  static std::size_t index(PairedPage page) { return static_cast<std::size_t>(page); }

  std::vector<Step> steps_;
  double correctable_ber_;
  std::uint32_t cells_;
  std::array<std::vector<std::int64_t>, paired_pages.size()> most_;  // by page, by step
};

}  // namespace nandscape::controller
