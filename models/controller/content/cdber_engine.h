// SPDX-License-Identifier: Apache-2.0
// The paper's content engine for two-bit cells: four state counters, and steps chosen by the relaxed or the exact CDBER
// [Sha, section IV].
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "controller/content/cdber.h"
#include "controller/content/content_engine.h"
#include "controller/content/state_mapping.h"
#include "controller/content/wordline_speed_table.h"

namespace nandscape::controller {

// The error rates of the states with that step; the table must describe two-bit cells.
StateErrorRates error_rates(const WordlineSpeedTable::Step& step);

class CdberEngine final : public ContentEngine {
 public:
  // `cells` is the number of cells of a wordline.
  CdberEngine(std::shared_ptr<const WordlineSpeedTable> speeds, std::uint32_t cells, ContentBound bound);

  const WordlineSpeedTable& speeds() const { return *speeds_; }
  std::uint32_t cells() const { return cells_; }
  // The largest number of weak cells (weak_cells()) with which a step is legal by the relaxed CDBER, or a negative
  // number if the step is never legal.
  std::int64_t most_weak_cells(PairedPage page, std::uint32_t step) const { return most_[index(page)][step]; }

  StateCounts count(std::span<const std::byte> lsb, std::span<const std::byte> msb) override;
  std::uint32_t step(PairedPage page, const StateCounts& states) override {
    return bound_ == ContentBound::exact ? exact(page, states) : relaxed(page, states);
  }

  // The number of the largest legal step for a page of a wordline with these states. relaxed() uses the relaxed CDBER,
  // which only compares integers; exact() uses the exact CDBER ("optimal" in the paper).
  std::uint32_t relaxed(PairedPage page, const StateCounts& states) const;
  std::uint32_t exact(PairedPage page, const StateCounts& states) const {
    return speeds_->largest_legal(static_cast<std::uint32_t>(page), states.shares().of);
  }

  // The mapping that minimises the total program time of both pages, each with its largest legal step by the relaxed
  // CDBER. With `one_shot`, both pages take the smaller of the two steps.
  StateMapping fastest_mapping(const StateCounts& states, bool one_shot) const;

 private:
  static std::size_t index(PairedPage page) { return static_cast<std::size_t>(page); }

  const std::shared_ptr<const WordlineSpeedTable> speeds_;
  const std::uint32_t cells_;
  const ContentBound bound_;
  std::array<std::vector<std::int64_t>, paired_pages.size()> most_;  // by page, by step
};

}  // namespace nandscape::controller
