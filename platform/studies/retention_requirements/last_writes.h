// SPDX-License-Identifier: Apache-2.0
// Stores the time at which each sector of a disk was last written. An entry is an extent of sectors that were written
// together. The memory therefore grows with the number of writes that have not been completely overwritten.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>

namespace nandscape {

class LastWrites {
 public:
  // Records a write of the sectors [first, end) at `time`. Calls `overwritten(sectors, written_at)` for each
  // overwritten part, with the number of its sectors and the time of their last write. Returns the number of sectors
  // that had been written before.
  template <class Overwritten>
  std::uint64_t write(std::uint64_t first, std::uint64_t end, std::uint64_t time, Overwritten overwritten);

  std::size_t extents() const { return extents_.size(); }

 private:
  struct Extent {
    std::uint64_t end = 0;
    std::uint64_t time = 0;
  };

  std::map<std::uint64_t, Extent> extents_;  // by first sector; without overlaps
};

template <class Overwritten>
std::uint64_t LastWrites::write(std::uint64_t first, std::uint64_t end, std::uint64_t time, Overwritten overwritten) {
  std::uint64_t known = 0;
  auto next = extents_.upper_bound(first);
  if (next != extents_.begin() && std::prev(next)->second.end > first) --next;
  while (next != extents_.end() && next->first < end) {
    const auto [begin, extent] = *next;
    const std::uint64_t sectors = std::min(end, extent.end) - std::max(first, begin);
    overwritten(sectors, extent.time);
    known += sectors;
    if (extent.end > end) extents_.emplace_hint(std::next(next), end, extent);
    if (begin < first) {
      next->second.end = first;
      ++next;
    } else {
      next = extents_.erase(next);
    }
    if (extent.end > end) break;
  }
  extents_.insert_or_assign(first, Extent{end, time});
  return known;
}

}  // namespace nandscape
