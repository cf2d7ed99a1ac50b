// SPDX-License-Identifier: Apache-2.0
// Which units were trimmed, on flash. A trimmed unit leaves its data behind, and no tag says that they count no more; a
// journal of trims does. Its records give a range of units and the version that takes the place of their data: data of
// that version or newer were written after the trim.
//
// Records gather here until a flush, or an erase that might take away what a trim has made invalid, writes them to a
// page of the journal; the page is written to every place of a wordline, since it is durable only then. A full block is
// followed by another one that begins with a snapshot: all that is trimmed at the time. Then the blocks before it may
// go.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "core/archive.h"
#include "core/ids.h"

namespace nandscape {

struct TrimRecord {
  Lpn first;
  std::uint64_t count = 0;
  std::uint64_t version = 0;
};

// The units that are trimmed, as ranges.
class TrimmedRanges {
 public:
  void add(Lpn first, std::uint64_t count);
  void remove(Lpn lpn);
  // Leaves out what `holds_data` says is not trimmed any more, and calls `range` for each that is left.
  void prune(const std::function<bool(Lpn)>& holds_data, const std::function<void(Lpn, std::uint64_t)>& range);
  bool empty() const { return ends_.empty(); }

  void persist(Archive& archive) {
    std::vector<std::uint64_t> bounds;
    for (const auto& [first, end] : ends_) bounds.insert(bounds.end(), {first, end});
    archive(bounds);
    ends_.clear();
    for (std::size_t k = 0; k < bounds.size(); k += 2) ends_[bounds[k]] = bounds[k + 1];
  }

 private:
  std::map<std::uint64_t, std::uint64_t> ends_;  // by the first unit of a range, the one behind its last
};

// A page of the journal as the words of its tag.
std::size_t most_trim_records(std::uint32_t page_bytes);
std::vector<std::uint64_t> journal_words(std::span<const TrimRecord> records);
// Of a page that bears the mark; records that are cut off are left out.
std::vector<TrimRecord> trim_records(std::span<const std::uint64_t> words);

}  // namespace nandscape
