// SPDX-License-Identifier: Apache-2.0
// Tracks the trimmed units and the version of each trim: data of that version or newer were written after the trim.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "core/archive.h"
#include "core/ids.h"

namespace nandscape::controller {

struct TrimRecord {
  Lpn first;
  std::uint64_t count = 0;
  std::uint64_t version = 0;
};

// The units that are trimmed, as ranges of one version each.
class TrimmedRanges {
 public:
  // Adds a trim, whose version must not be older than those before it.
  void add(const TrimRecord& trim);
  void remove(Lpn lpn);
  // Removes units that hold data again. `next_held` returns the first unit of [from, end) that holds data, or `end`.
  void prune(const std::function<Lpn(Lpn from, Lpn end)>& next_held);
  // Sets the version of all ranges to `version`, so that adjacent ranges merge. The units in `but`, in ascending order,
  // keep their versions, since newer data of these units may be found.
  void renew(std::uint64_t version, std::span<const Lpn> but);
  std::vector<TrimRecord> records() const;
  bool empty() const { return ranges_.empty(); }

  // Saves or restores the ranges. Pages must be below `logical_pages`, versions at most `newest_version`.
  void persist(Archive& archive, std::uint64_t logical_pages, std::uint64_t newest_version);

 private:
  struct Range {
    std::uint64_t end;
    std::uint64_t version;
  };
  using Ranges = std::map<std::uint64_t, Range>;  // by their first unit

  // Splits the range that contains `lpn`, if any, so that a range begins at `lpn`.
  void cut(std::uint64_t lpn);
  // Adds the range after all others, or extends the last one.
  static void append(Ranges& ranges, std::uint64_t begin, const Range& range);

  Ranges ranges_;
};

}  // namespace nandscape::controller
