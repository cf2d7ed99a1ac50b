// SPDX-License-Identifier: Apache-2.0
// The content engine that the paper proposes for two-bit cells [Sha, section IV]. It counts the cells in each of the
// four states, and chooses the ISPP step by the relaxed or the exact CDBER.
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

// Returns the error rates of the states after programming with the given step. The table of write speeds must be for
// two-bit cells.
StateErrorRates error_rates(const WordlineSpeedTable::Step& step);

class CdberEngine final : public ContentEngine {
 public:
  // `cells` is the number of cells of a wordline.
  CdberEngine(std::shared_ptr<const WordlineSpeedTable> speeds, std::uint32_t cells, ContentBound bound);

  const WordlineSpeedTable& speeds() const { return *speeds_; }
  std::uint32_t cells() const { return cells_; }
  // Returns the largest number of weak cells (see weak_cells()) with which the page may be programmed with the step, by
  // the relaxed CDBER. Negative if the page may never be programmed with it.
  std::int64_t most_weak_cells(PairedPage page, std::uint32_t step) const { return most_[index(page)][step]; }

  StateCounts count(std::span<const std::byte> lsb, std::span<const std::byte> msb) override;
  std::uint32_t step(PairedPage page, const StateCounts& states) override {
    return bound_ == ContentBound::exact ? exact(page, states) : relaxed(page, states);
  }

  // Return the number of the largest legal step for a page of a wordline with these states. relaxed() uses the relaxed
  // CDBER, and therefore only compares numbers of weak cells with limits computed in advance. exact() computes the
  // exact CDBER, which the paper calls "optimal".
  std::uint32_t relaxed(PairedPage page, const StateCounts& states) const;
  std::uint32_t exact(PairedPage page, const StateCounts& states) const {
    return speeds_->largest_legal(static_cast<std::uint32_t>(page), states.shares().of);
  }

  // Returns the state mapping with which programming both pages of the wordline is fastest. Each page is programmed
  // with the largest step whose relaxed CDBER the code can still correct. With `one_shot`, both pages are programmed
  // together, with the smaller of the two steps.
  StateMapping fastest_mapping(const StateCounts& states, bool one_shot) const;

 private:
  static std::size_t index(PairedPage page) { return static_cast<std::size_t>(page); }

  const std::shared_ptr<const WordlineSpeedTable> speeds_;
  const std::uint32_t cells_;
  const ContentBound bound_;
  // For each page and step, the result of most_weak_cells().
  std::array<std::vector<std::int64_t>, paired_pages.size()> most_;
};

}  // namespace nandscape::controller
