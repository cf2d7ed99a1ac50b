// SPDX-License-Identifier: Apache-2.0
#include "controller/ecc_selection/segment_choice.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace nandscape::controller {

SegmentChoice::SegmentChoice(const SegmentLimits& limits, std::uint32_t codes, CoveredSegments covered)
    : limits_(limits), codes_(codes), covered_(covered) {}

std::uint32_t SegmentChoice::choose(PairedPage page, std::span<const double> weak) const {
  const std::vector<double>& limits = page == PairedPage::lsb ? limits_.lsb : limits_.msb;
  const auto known = static_cast<std::uint32_t>(std::min<std::size_t>(codes_ - 1, limits.size()));
  for (std::uint32_t code = known; code > 0; --code) {
    const std::size_t parts = covered_ == CoveredSegments::own ? weak.size() >> code : 1;
    double worst = 0;
    for (std::size_t first = 0; first < weak.size(); first += parts) {
      const std::span<const double> segment = weak.subspan(first, parts);
      worst = std::max(worst, std::accumulate(segment.begin(), segment.end(), 0.0) / static_cast<double>(parts));
    }
    if (worst < limits[code - 1]) return code;
  }
  return 0;
}

}  // namespace nandscape::controller
