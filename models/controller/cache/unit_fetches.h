// SPDX-License-Identifier: Apache-2.0
// Reads sectors from the backend into the cache. A fetch brings sectors that a host read lacks, sectors that a
// write-back lacks, or a whole unit that is read ahead of a sequential stream. A unit has at most one fetch under way.
#pragma once

#include <array>
#include <cstdint>

#include "controller/cache/cache_memory.h"
#include "controller/cache/cache_operation.h"
#include "core/archive.h"
#include "core/ticks.h"
#include "protocol/storage.h"

namespace nandscape::controller {

// Recognises sequential streams: a read that starts where an earlier read ended continues the stream of that read. Up
// to eight streams are tracked at a time.
class SequentialReads {
 public:
  SequentialReads() { ends_.fill(~std::uint64_t{0}); }

  // Returns whether a read of the device's sectors [first, first + count) continues a stream. If it does not, it starts
  // a new stream, which replaces the oldest stream.
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
  std::array<std::uint64_t, 8> ends_;  // for each stream, the sector at which its next read begins
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

  // Reads all sectors from the first to the last of `sectors`. `reader` is the host read that lacks them, or null if
  // the fetch is for a write-back or reads ahead.
  void fetch(CachedUnit& unit, SectorSet sectors, PageAccess* reader, Tick now);
  // Called when the backend has answered the fetch. Returns the time at which the data are in DRAM, when finish() must
  // be called. The unit is not changed before finish(), because a backend may answer within submit().
  Tick arrived(const CacheOperation& fetch, Tick now);
  // Ends the fetch: copies its data into the unit if the read succeeded, and releases the operation.
  void finish(CacheOperation& fetch);

  // Returns whether a read of the device's sectors [first, first + count) continues a stream, and tracks the streams.
  bool goes_on(std::uint64_t first, std::uint64_t count) { return sequential_.goes_on(first, count); }
  // Adds the unit to the cache, which must not hold it yet, and fetches all of its sectors.
  void prefetch(Lpn lpn, Tick now);
  // Called when the host reads the unit. Counts a prefetch hit at the first read of a unit that was read ahead.
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
