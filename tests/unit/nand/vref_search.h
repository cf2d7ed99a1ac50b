// SPDX-License-Identifier: Apache-2.0
// Searches for the best read levels of a page, as firmware does when it knows the data of the page or has corrected
// them. Reads the page repeatedly with different offsets of its read levels, and counts the errors.
//
// The levels are swept one after another. A sweep tries several offsets at a distance of one step. The level then moves
// to the offset with the fewest errors, or to the middle of several such offsets. If the fewest errors are at an end of
// the range, the sweep is extended there as long as the errors decrease.
//
// When all levels of the page have been swept, the sweeps are repeated around the new offsets with half the step, down
// to the finest step. The first sweep alone is not enough: a level that is far from its optimum causes many errors, and
// the random variation of their number hides the effect of the other levels.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <map>
#include <vector>

#include "nand/cell_array.h"

namespace nandscape::nand {

struct VrefSearchSteps {
  std::int16_t coarse_mv = 80;  // first step; the first sweeps extend four steps in each direction, later sweeps two
  std::int16_t fine_mv = 5;     // last step
  std::int16_t most_mv = 2000;  // largest offset that the die supports, up or down
};

struct VrefSearchResult {
  std::vector<std::int16_t> offsets_mv;  // for SenseOrder::vref_offsets_mv
  std::uint32_t errors_before = 0;
  std::uint32_t errors_after = 0;
  std::uint32_t reads = 0;
};

class VrefSearch {
 public:
  VrefSearch(CellArray& cells, const SenseOrder& order, const VrefSearchSteps& steps, Tick now)
      : cells_(cells), order_(order), most_mv_(steps.most_mv), now_(now) {
    offsets_.assign(order.vref_offsets_mv.begin(), order.vref_offsets_mv.end());
    // Offsets are indexed by the levels of the cell. A merged coding uses only some of these levels.
    const Coding& coding = *order.coding;
    offsets_.resize(std::max<std::size_t>(offsets_.size(), coding.place(coding.states() - 1)));
  }

  VrefSearchResult run(const VrefSearchSteps& steps) {
    const std::vector<std::int16_t> start = offsets_;
    const std::uint32_t before = errors();
    int points = first_points;
    for (int step = steps.coarse_mv;; step = std::max<int>(step / 2, steps.fine_mv)) {
      for (const std::uint8_t level : order_.coding->levels(order_.page_type)) sweep(level, step, points);
      points = later_points;
      if (step <= steps.fine_mv) break;
    }
    const std::uint32_t after = errors();
    if (after > before) return {start, before, before, reads_};
    return {offsets_, before, after, reads_};
  }

 private:
  static constexpr int first_points = 4;  // steps of the first sweeps in each direction
  static constexpr int later_points = 2;

  std::uint32_t errors() {
    ++reads_;
    order_.vref_offsets_mv = offsets_;
    return cells_.sense(order_, now_).raw_bit_errors;
  }

  // Sets the offset of a level, reads, and adds the number of errors to `found`. Returns false without reading if the
  // die does not support this offset.
  bool read_at(std::int16_t& offset, int mv, std::map<int, std::uint32_t>& found) {
    if (std::abs(mv) > most_mv_) return false;
    offset = static_cast<std::int16_t>(mv);
    found[mv] = errors();
    return true;
  }

  void sweep(std::uint8_t level, int step, int points) {
    std::int16_t& offset = offsets_[order_.coding->place(level) - 1];
    const int centre = offset;
    std::map<int, std::uint32_t> found;  // errors by offset
    for (int k = -points; k <= points; ++k) read_at(offset, centre + k * step, found);

    std::vector<int> best;
    for (;;) {
      std::uint32_t fewest = std::numeric_limits<std::uint32_t>::max();
      for (const auto& [mv, errors] : found) fewest = std::min(fewest, errors);
      best.clear();
      for (const auto& [mv, errors] : found) {
        if (errors == fewest) best.push_back(mv);
      }
      if (best.size() != 1) break;
      const bool at_lower_end = best[0] == found.begin()->first;
      const bool at_upper_end = best[0] == found.rbegin()->first;
      if (!at_lower_end && !at_upper_end) break;
      if (!read_at(offset, best[0] + (at_lower_end ? -step : step), found)) break;
    }
    offset = static_cast<std::int16_t>(best.empty() ? centre : best[best.size() / 2]);
  }

  CellArray& cells_;
  SenseOrder order_;
  const int most_mv_;
  const Tick now_;
  std::vector<std::int16_t> offsets_;
  std::uint32_t reads_ = 0;
};

// Starts the search at the offsets in `order`, and returns to these if the result has no fewer errors. Counts errors
// only in the part of the page that `order` selects.
inline VrefSearchResult search_vref(CellArray& cells, const SenseOrder& order, const VrefSearchSteps& steps, Tick now) {
  return VrefSearch(cells, order, steps, now).run(steps);
}

}  // namespace nandscape::nand
