// SPDX-License-Identifier: Apache-2.0
#include "controller/streams/update_counts.h"

#include <vector>

namespace nandscape::controller {

// Only the parts of the table that contain a count are saved.
void UpdateCounts::persist(Archive& archive) {
  constexpr std::uint64_t part_units = 4096;
  archive.index(hand_, units_, "the counter to be halved next");
  if (archive.loading()) counts_.clear();
  std::vector<std::uint8_t> counts;
  for (std::uint64_t first = 0; first < units_; first += part_units) {
    const std::uint64_t end = std::min(units_, first + part_units);
    counts.clear();
    for (std::uint64_t unit = first; unit < end && !archive.loading(); ++unit) {
      counts.push_back(static_cast<std::uint8_t>(counts_[unit]));
    }
    if (std::ranges::all_of(counts, [](std::uint8_t count) { return count == 0; })) counts.clear();
    archive.list(counts, end - first, "the counters of a part",
                 [&](std::uint8_t& count) { archive.number(count, most, "the counter of a unit"); });
    archive.require(counts.empty() || counts.size() == end - first, "a part has some of its counters only");
    for (std::uint64_t k = 0; k < counts.size() && archive.loading(); ++k) counts_.set(first + k, counts[k]);
  }
}

}  // namespace nandscape::controller
