// SPDX-License-Identifier: Apache-2.0
// The search for a page's best read levels, as firmware makes it on a page whose data it knows or has corrected: it
// reads the page again and again with other offsets of its read levels and counts the errors.
//
// One level after the other is swept over offsets a step apart, and goes to the one with the fewest errors; where
// several have as few, to the middle one. A sweep goes on beyond an end that has the fewest, as long as errors fall.
// Once all levels of the page have been swept, they are swept again with half the step round where they are, down to
// the finest step: while one level lies far off, chance in the many errors that it makes hides what another one does.
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
  std::int16_t coarse_mv = 80;  // at first, four of them either way; of the halved ones two
  std::int16_t fine_mv = 5;     // at last
  std::int16_t most_mv = 2000;  // the largest offset that the die takes, up or down
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
    // Offsets count the levels of the cell, of which a merged coding uses some.
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
  static constexpr int first_points = 4;  // of a sweep, either way
  static constexpr int later_points = 2;

  std::uint32_t errors() {
    ++reads_;
    order_.vref_offsets_mv = offsets_;
    return cells_.sense(order_, now_).raw_bit_errors;
  }

  // Reads with the level at this offset, unless the die cannot move it there.
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

// Searches from the offsets that the order comes with, and returns to them if what it finds reads no better. Errors are
// those of the part of the page that the order names.
inline VrefSearchResult search_vref(CellArray& cells, const SenseOrder& order, const VrefSearchSteps& steps, Tick now) {
  return VrefSearch(cells, order, steps, now).run(steps);
}

}  // namespace nandscape::nand
