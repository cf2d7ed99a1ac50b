// SPDX-License-Identifier: Apache-2.0
#include "platform/studies/retention_requirements/requirement_histogram.h"

#include <algorithm>

namespace nandscape {

void RequirementHistogram::add(std::uint64_t sectors, std::uint64_t requirement_ns) {
  for (std::size_t mark = 0; mark < marks_ns.size(); ++mark) {
    if (requirement_ns <= marks_ns[mark]) within_[mark] += sectors;
  }
  const std::vector<std::uint64_t>& edges = edges_ns();
  bins_[static_cast<std::size_t>(std::ranges::lower_bound(edges, requirement_ns) - edges.begin())] += sectors;
}

// Returns edges from one microsecond to 32 years.
const std::vector<std::uint64_t>& RequirementHistogram::edges_ns() {
  static const std::vector<std::uint64_t> edges = [] {
    constexpr std::array<std::uint64_t, 10> decade{1000, 1259, 1585, 1995, 2512, 3162, 3981, 5012, 6310, 7943};
    constexpr std::uint64_t last = 1'000'000'000'000'000'000;
    std::vector<std::uint64_t> all;
    for (std::uint64_t scale = 1; 1000 * scale < last; scale *= 10) {
      for (const std::uint64_t mantissa : decade) all.push_back(mantissa * scale);
    }
    all.push_back(last);
    return all;
  }();
  return edges;
}

}  // namespace nandscape
