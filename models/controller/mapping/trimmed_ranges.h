// SPDX-License-Identifier: Apache-2.0
// Records which units are trimmed, and the version of each trim. Data of a unit with this version or a newer version
// were written after the trim.
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

// The trimmed units, as ranges of units that have the same version.
class TrimmedRanges {
 public:
  // Adds a trim. Its version must be at least the version of every earlier trim.
  void add(const TrimRecord& trim);
  void remove(Lpn lpn);
  // Removes the units that hold data again. next_held(from, end) must return the first unit of [from, end) that holds
  // data, or `end` if there is none.
  void prune(const std::function<Lpn(Lpn from, Lpn end)>& next_held);
  // Sets the version of all ranges to `version`, so that adjacent ranges merge. The units in `but`, which must be in
  // ascending order, keep their versions, because data of these units with newer versions may be found after a power
  // loss.
  void renew(std::uint64_t version, std::span<const Lpn> but);
  std::vector<TrimRecord> records() const;
  bool empty() const { return ranges_.empty(); }

  // Saves or restores the ranges. When restoring, checks that all units are below `logical_pages` and that no version
  // exceeds `newest_version`.
  void persist(Archive& archive, std::uint64_t logical_pages, std::uint64_t newest_version);

 private:
  struct Range {
    std::uint64_t end;
    std::uint64_t version;
  };
  using Ranges = std::map<std::uint64_t, Range>;  // the key is the first unit of the range

  // Splits the range that contains `lpn`, if there is one, so that a range begins at `lpn`.
  void cut(std::uint64_t lpn);
  // Adds the range behind all other ranges, or extends the last range if the new one continues it.
  static void append(Ranges& ranges, std::uint64_t begin, const Range& range);

  Ranges ranges_;
};

}  // namespace nandscape::controller
