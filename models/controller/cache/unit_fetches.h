// SPDX-License-Identifier: Apache-2.0
// Reads from the backend into the cache: sectors that a host read lacks, sectors that a write-back lacks, and units
// read ahead of a sequential stream. A unit has at most one fetch under way.
#pragma once

#include <array>
#include <cstdint>

#include "controller/cache/cache_memory.h"
#include "controller/cache/cache_operation.h"
#include "core/archive.h"
#include "core/ticks.h"
#include "protocol/storage.h"

namespace nandscape::controller {

// Recognises reads that start where an earlier one ended, for up to eight streams at a time.
class SequentialReads {
 public:
  SequentialReads() { ends_.fill(~std::uint64_t{0}); }

  // Whether the read of the device's sectors [first, first + count) continues a stream. Otherwise it starts a new
  // stream, which replaces the oldest.
  bool goes_on(std::uint64_t first, std::uint64_t count) {
    for (std::uint64_t& end : ends_) {
      if (end == first) {
        end += count;
        return true;
      }
    }
    ends_[oldest_++ % ends_.size()] = first + count;
    return false;
  }

 private:
  std::array<std::uint64_t, 8> ends_;  // where the next read of each stream begins
  std::uint64_t oldest_ = 0;
};

struct FetchCounters {
  std::uint64_t prefetched_units = 0;
  std::uint64_t prefetch_hits = 0;
};

class UnitFetches {
 public:
  UnitFetches(CacheMemory& memory, OperationPool& operations, StorageDevice& backend)
      : memory_(memory), operations_(operations), backend_(backend) {}

  // `reader` is the host read that lacks the sectors, or null.
  void fetch(CachedUnit& unit, SectorSet sectors, PageAccess* reader, Tick now);
  // Called when the backend has answered. Returns the time when the data are in DRAM, which is when the fetch ends. The
  // unit is left unchanged until then, since a backend may answer within submit().
  Tick arrived(const CacheOperation& fetch, Tick now);
  // Ends the fetch and releases it.
  void finish(CacheOperation& fetch);

  // Whether the read of the device's sectors [first, first + count) continues a stream.
  bool goes_on(std::uint64_t first, std::uint64_t count) { return sequential_.goes_on(first, count); }
  // Fetches a whole unit that is not cached.
  void prefetch(Lpn lpn, Tick now);
  // Called when the host reads the unit. A unit read ahead counts as a hit at its first read.
  void count_hit(CachedUnit& unit) {
    if (!unit.prefetched) return;
    unit.prefetched = false;
    ++counters_.prefetch_hits;
  }

  const FetchCounters& counters() const { return counters_; }
  void persist_counters(Archive& archive) { archive(counters_); }

 private:
  CacheMemory& memory_;
  OperationPool& operations_;
  StorageDevice& backend_;
  SequentialReads sequential_;
  FetchCounters counters_;
};

}  // namespace nandscape::controller
