// SPDX-License-Identifier: Apache-2.0
// Which ISPP step a page bears [Sha, section IV-B1, Table II]. A larger step programs faster and leaves more errors; it
// is legal as long as the CDBER that it leads to is correctable. The table knows error rates, not cells: who makes it
// has them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "controller/content/cdber.h"

namespace nandscape::controller {

class WriteSpeedTable {
 public:
  // One ISPP step. The first, the device's own, is taken where no other is legal.
  struct Step {
    double step_mv = 0;
    double program_us = 0;
    StateErrorRates errors;  // when the data have been kept as long as they have to
  };

  // Steps rise. Throws std::invalid_argument unless there is one, and if they do not.
  WriteSpeedTable(std::vector<Step> steps, double correctable_ber, std::uint32_t cells);

  std::span<const Step> steps() const { return steps_; }
  double correctable_ber() const { return correctable_ber_; }
  std::uint32_t cells() const { return cells_; }  // of a wordline
  // The most weak cells (weak_cells()) with which a step is legal by the relaxed CDBER; negative: it never is.
  std::int64_t most_weak_cells(PairedPage page, std::uint32_t step) const { return most_[index(page)][step]; }

  // The largest legal step for a page of a wordline with these states, by its number: from the relaxed CDBER, which
  // takes comparisons of whole numbers, and from the exact one ("optimal" in the paper).
  std::uint32_t relaxed(PairedPage page, const StateCounts& states) const;
  std::uint32_t optimal(PairedPage page, const StateCounts& states) const;
  // For both pages, where a wordline is programmed with one step.
  std::uint32_t relaxed(const StateCounts& states) const;

 private:
  static std::size_t index(PairedPage page) { return static_cast<std::size_t>(page); }

  std::vector<Step> steps_;
  double correctable_ber_;
  std::uint32_t cells_;
  std::array<std::vector<std::int64_t>, paired_pages.size()> most_;  // by page, by step
};

}  // namespace nandscape::controller
