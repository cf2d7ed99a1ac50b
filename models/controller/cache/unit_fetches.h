// SPDX-License-Identifier: Apache-2.0
// Reads from the backend into the cache: what a read of the host lacks, what lies between the dirty sectors of a unit
// that is written back, and units that a stream of reads will want next. A unit has one of them under way at most.
#pragma once

#include <cstdint>

#include "controller/cache/cache_memory.h"
#include "controller/cache/operation_pool.h"
#include "controller/cache/sequential_reads.h"
#include "core/archive.h"
#include "core/ticks.h"
#include "protocol/storage.h"

namespace nandscape::controller {

struct FetchCounters {
  std::uint64_t prefetched_units = 0;
  std::uint64_t prefetch_hits = 0;
};

class UnitFetches {
 public:
  UnitFetches(CacheMemory& memory, OperationPool& operations, StorageDevice& backend)
      : memory_(memory), operations_(operations), backend_(backend) {}

  // `reader` is the access that lacks the sectors, or null.
  void fetch(CachedUnit& unit, SectorSet sectors, PageAccess* reader, Tick now);
  // The backend has answered. The data come through DRAM, and the fetch ends when they are there: until then nothing is
  // done with the unit that would be undone by a backend which answers at once.
  Tick arrived(const CacheOperation& fetch, Tick now);
  // Ends the fetch, which is gone then.
  void finish(CacheOperation& fetch);

  // Whether the read of the sectors [first, first + count) of the device goes on with a stream.
  bool goes_on(std::uint64_t first, std::uint64_t count) { return sequential_.goes_on(first, count); }
  // Of a unit that is not there.
  void prefetch(Lpn lpn, Tick now);
  // The unit is read: whether it was read ahead tells once.
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
