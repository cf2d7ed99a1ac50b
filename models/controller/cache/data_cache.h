// SPDX-License-Identifier: Apache-2.0
// The data cache: mapping units in DRAM, between the front end and the flash translation layer (the backend).
//
//   read   from DRAM if all of its sectors are there; else what is missing is fetched. A read finds what was written
//          before it came or later, whole writes of it, and never less.
//   write  kept in DRAM and done when its data are there; the backend gets them later (write-back), as many units
//          together as fill a page of the flash
//          past the cache (write-through) with force_unit_access, or when the policy keeps no writes
//   trim   takes units out of the cache, then goes to the backend
//   flush  writes back what was dirty when it came, then goes to the backend
//
// Writes that find no room wait until a unit is clean. Reads do not wait: they go past the cache.
//
// A unit has one fetch and one write-back under way at most. It may be written while it is written back: what is
// written back is a snapshot, and the unit is dirty again. Accesses to a unit wait while a write to it goes past the
// cache, and those in the range of a trim wait for its end, so that the cache and the backend agree on the order.
//
// No write and no trim passes an earlier one of the same unit, wherever that waits and whether anybody still waits for
// it: after a reset of the front end, what it has forgotten must not replace what was written since.
//
// A write-back that fails is not tried again: the backend has done what it could. Its sectors are lost, and reads of
// them fail until they are written or trimmed, so that nobody is given older data; so do flushes. A backend that has
// become read-only is given no more writes: they could not be written back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "controller/cache/access_queue.h"
#include "controller/cache/cache_operation.h"
#include "controller/cache/clean_units.h"
#include "controller/cache/parameters.h"
#include "controller/cache/sequential_reads.h"
#include "controller/cache/unit_table.h"
#include "controller/cache/waiting_writes.h"
#include "controller/dram/dram.h"
#include "controller/flash_ops/page_buffers.h"
#include "core/archive.h"
#include "core/calendar.h"
#include "core/pool.h"
#include "core/statistics.h"
#include "protocol/storage.h"

namespace nandscape {

struct CacheCounters {
  std::uint64_t read_hits = 0;
  std::uint64_t read_misses = 0;
  std::uint64_t write_hits = 0;
  std::uint64_t absorbed_sectors = 0;
  std::uint64_t writes_through = 0;
  std::uint64_t write_backs = 0;
  std::uint64_t failed_write_backs = 0;
  std::uint64_t evictions = 0;
  std::uint64_t waits = 0;
  std::uint64_t flushes = 0;
  std::uint64_t prefetched_units = 0;
  std::uint64_t prefetch_hits = 0;
  std::uint64_t dirty_units = 0;
};
void describe(const CacheCounters& counters, StatisticsVisitor& visitor);

// What a capacitor saves of a unit when power fails.
struct DirtyUnit {
  Lpn lpn;
  SectorSet sectors;            // not yet on flash
  std::vector<std::byte> data;  // of the whole unit, in which only these sectors count; empty when no data are kept
};

class DataCache final : public StorageDevice, private StorageClient {
 public:
  DataCache(const CacheParameters& parameters, bool keep_data, StorageDevice& backend, Dram& dram, Calendar& calendar);

  void set_client(StorageClient& client) override { client_ = &client; }
  void submit(PageAccess& access, Tick now) override;
  std::uint64_t logical_pages() const override { return backend_.logical_pages(); }
  std::uint32_t page_bytes() const override { return unit_bytes_; }

  // Everything that was answered for, or will be, and that the backend has not yet written.
  std::vector<DirtyUnit> dirty_units() const;
  // Whether what was answered for lasts without the supply.
  bool backed_up() const { return parameters_.keeps_writes() && parameters_.backup == CacheBackup::capacitor; }
  // From now on a flush writes back what is dirty, whatever the backup.
  void save() { saving_ = true; }
  // Units that hold data not yet on flash.
  bool clean() const { return dirty_count_ + writing_count_ == 0; }
  bool read_only() const override { return backend_.read_only(); }
  DeviceHealth health() const override;

  // What it has counted, and, while it is clean, what it knows.
  void persist_counters(Archive& archive) { archive(counters_); }
  void persist(Archive& archive);

  // Whether no access of the host and no operation of the backend is under way; units may still be dirty.
  bool idle() const { return accesses_ == 0 && operations_.in_use() == 0; }
  CacheCounters counters() const;

 private:
  // data_cache.cpp: accesses of the host.
  void admit(PageAccess& access, Tick now);
  void read(PageAccess& access, Tick now);
  void read_unit(CachedUnit& unit, PageAccess& access, Tick now);
  void write(PageAccess& access, Tick now, bool first_in_line);
  void write_unit(CachedUnit& unit, PageAccess& access, Tick now);
  void write_through(PageAccess& access, Tick now);
  void written_through(CacheOperation& write, Tick now);
  void answer(PageAccess& access, Tick at);
  void answer_due(PageAccess& access);
  void complete(PageAccess& access, Tick now);
  // Those that waited for room.
  void serve_waiting(Tick now);

  // fetching.cpp: reads from the backend into the cache.
  void fetch(CachedUnit& unit, SectorSet sectors, PageAccess* reader, Tick now);
  void fetch_arrived(CacheOperation& fetch, Tick now);
  void fetched(CacheOperation& fetch);
  void prefetch(Lpn first, Tick now);

  // write_back.cpp
  void start_write_backs(Tick now);
  bool write_back_wanted();
  void enqueue_dirty(CachedUnit& unit);
  void force(CachedUnit& unit);
  void start_batch(Tick now);
  void join(WriteBackBatch& batch, CachedUnit& unit);
  void prepared(WriteBackBatch& batch, CacheOperation* write, Tick now);
  // Fetches what lies between the dirty sectors, or sends them.
  void go_on_cleaning(CachedUnit& unit, Tick now);
  void send_write_back(CacheOperation& write);
  void written_back(CacheOperation& write, Tick now);
  void fetch_for_write_back_failed(CachedUnit& unit, AccessStatus status, Tick now);
  void lose(CachedUnit& unit, SectorSet sectors);
  bool lost(const PageAccess& access) const;
  void fail_lost(PageAccess& access, Tick now);
  void not_lost(Lpn lpn, SectorSet sectors);

  // flush_and_trim.cpp
  void flush(PageAccess& access, Tick now);
  // That what became dirty at `order` no longer is.
  void count_clean(std::uint64_t order, AccessStatus status);
  void send_flushes(Tick now);
  void flushed(CacheOperation& flush, Tick now);
  void trim(PageAccess& access, Tick now);
  // Whether the access has to wait for an earlier one whose range has a unit of it: any access for a trim, and a trim
  // for writes that wait.
  bool comes_too_early(const PageAccess& access);
  bool writes_wait(const PageAccess& range);
  // Admits the access, or holds it back until that is no longer true.
  void admit_in_order(PageAccess& access, Tick now);
  void release_held(Tick now);
  void part_of_trim_ended(Lpn lpn, Tick now);
  void trimmed(CacheOperation& trim, Tick now);
  void drop(CachedUnit& unit, Tick now);

  void completed(PageAccess& access, Tick now) override;
  void health_changed(Tick now) override { client_->health_changed(now); }

  // Whether a unit can be added at once.
  bool room() const { return !units_.full() || !clean_.empty(); }
  // Whether what a capacitor has to save may become one unit more. With none to be saved, one is taken in any case.
  bool may_save_another() const {
    const std::uint64_t unsaved = dirty_count_ + writing_count_;
    return parameters_.backup == CacheBackup::none || unsaved == 0 || unsaved < backend_.save_room();
  }
  CachedUnit& add(Lpn lpn);
  // Finds the unit its place after something about it has changed; it may be gone then.
  void settle(CachedUnit& unit);
  // The same after the end of a fetch or a write-back, which a trim may have waited for.
  void settle_idle(CachedUnit& unit, Tick now);
  void unlist(CachedUnit& unit);

  CacheOperation& make_operation(CacheOperation::Purpose purpose, AccessKind kind, Lpn lpn);
  void give_buffer(CacheOperation& operation);
  void free_operation(CacheOperation& operation);
  Tick transfer(Dram::Direction direction, const CachedUnit& unit, SectorSet sectors, Tick now);
  void copy_in(CachedUnit& unit, const PageAccess& access) const;

  const CacheParameters parameters_;
  const bool keep_data_;
  StorageDevice& backend_;
  Dram& dram_;
  Calendar& calendar_;
  StorageClient* client_ = nullptr;
  const std::uint32_t unit_bytes_;
  const SectorSet whole_unit_;
  const std::uint32_t batch_units_;  // that are written back together
  const std::uint32_t most_in_flight_;

  UnitTable units_;
  CleanUnits clean_;
  UnitList dirty_{CachedUnit::Listed::dirty};  // to be written back, in that order
  const std::uint32_t dirty_high_;
  const std::uint32_t dirty_low_;
  bool draining_ = false;            // from the high to the low mark
  std::uint32_t forced_ = 0;         // units of dirty_ that are to be written back at once
  std::uint32_t cleaning_ = 0;       // write-backs under way
  std::uint64_t dirty_count_ = 0;    // units with dirty sectors
  std::uint64_t writing_count_ = 0;  // units with sectors that the backend is writing
  std::uint64_t last_order_ = 0;

  WaitingWrites waiting_;  // for room
  AccessQueue held_;       // that have come too early, or have waited for one that has ended
  AccessQueue releasing_;  // of these, the ones that are being looked at again
  bool release_again_ = false;
  OperationList flushes_;  // that wait for write-backs
  OperationList trims_;
  WritesThrough writes_through_;
  AccessStatus failure_ = AccessStatus::ok;  // of the latest write-back that failed
  std::unordered_map<Lpn, SectorSet>
      lost_;  // sectors that could not be written back: flushes fail until they are written again
  SequentialReads sequential_;

  bool saving_ = false;

  std::uint64_t accesses_ = 0;  // of the host, under way
  Pool<CacheOperation> operations_;
  Pool<WriteBackBatch> batches_;
  std::vector<CachedUnit*> joining_;  // while a batch is made up
  PageBuffers buffers_;
  CacheCounters counters_;
};

}  // namespace nandscape
