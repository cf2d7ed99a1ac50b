// SPDX-License-Identifier: Apache-2.0
#include "nand/vref_search.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <map>

namespace nandscape {

namespace {

constexpr int first_points = 4;  // of a sweep, either way
constexpr int later_points = 2;

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

}  // namespace

VrefSearchResult search_vref(CellArray& cells, const SenseOrder& order, const VrefSearchSteps& steps, Tick now) {
  return VrefSearch(cells, order, steps, now).run(steps);
}

}  // namespace nandscape
