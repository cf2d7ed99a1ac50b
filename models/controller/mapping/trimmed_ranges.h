// SPDX-License-Identifier: Apache-2.0
// Which units are trimmed, and since which version: data of that version or newer were written after the trim.
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
  // No version is older than those before it.
  void add(const TrimRecord& trim);
  void remove(Lpn lpn);
  // Leaves out what is not trimmed any more: `next_held` gives the first unit of [from, end) that holds data, or `end`.
  void prune(const std::function<Lpn(Lpn from, Lpn end)>& next_held);
  // Gives all ranges that version, so that they grow together; but for these units, in ascending order, of which newer
  // data may become known.
  void renew(std::uint64_t version, std::span<const Lpn> but);
  std::vector<TrimRecord> records() const;
  bool empty() const { return ranges_.empty(); }

  // Of so many logical pages. No version is newer.
  void persist(Archive& archive, std::uint64_t logical_pages, std::uint64_t newest_version);

 private:
  struct Range {
    std::uint64_t end;
    std::uint64_t version;
  };
  using Ranges = std::map<std::uint64_t, Range>;  // by their first unit

  // Units from there on are in ranges of their own.
  void cut(std::uint64_t lpn);
  // Puts it behind all others, or makes the last one longer.
  static void append(Ranges& ranges, std::uint64_t begin, const Range& range);

  Ranges ranges_;
};

}  // namespace nandscape::controller
