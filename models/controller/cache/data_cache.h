// SPDX-License-Identifier: Apache-2.0
// The data cache: mapping units in DRAM, between the front end and the flash translation layer (the backend).
//
//   read   served from DRAM if all of its sectors are there; otherwise the missing sectors are fetched. A read returns
//          the data of all earlier writes and possibly of later ones; it sees each write as a whole.
//   write  kept in DRAM and completed when its data are there; written to the backend later (write-back), in batches
//          that fill a flash page
//          sent past the cache (write-through) with force_unit_access, or when the policy keeps no writes
//   trim   removes units from the cache, then is sent to the backend
//   flush  writes back the units that were dirty when it arrived, then is sent to the backend
//
// Writes that find no room wait until a unit is clean. Reads do not wait for room: they bypass the cache.
//
// A unit has at most one fetch (unit_fetches.h) and one write-back (write_back.h) under way. Accesses to a unit wait
// while a write to it bypasses the cache; access_order.h keeps accesses in order. Sectors that the backend failed to
// write are lost (write_back.h). A read-only backend is given no more writes, since they could not be written back.
//
// DataCache itself admits host accesses and decides which accesses continue when a backend operation has ended.
#pragma once

#include <cstdint>
#include <vector>

#include "controller/cache/access_order.h"
#include "controller/cache/cache_memory.h"
#include "controller/cache/cache_operation.h"
#include "controller/cache/unit_fetches.h"
#include "controller/cache/write_back.h"
#include "controller/dram/dram.h"
#include "core/archive.h"
#include "core/calendar.h"
#include "core/statistics.h"
#include "core/time_at_limit.h"
#include "protocol/storage.h"

namespace nandscape::controller {

// Counts of host accesses.
struct CacheAccessCounters {
  std::uint64_t read_hits = 0;
  std::uint64_t read_misses = 0;
  std::uint64_t write_hits = 0;
  std::uint64_t absorbed_sectors = 0;
  std::uint64_t writes_through = 0;
  std::uint64_t waits = 0;
  std::uint64_t flushes = 0;
};
struct CacheCounters : CacheAccessCounters, WriteBackCounters, FetchCounters {
  std::uint64_t evictions = 0;
  std::uint64_t dirty_units = 0;
};
void describe(const CacheCounters& counters, StatisticsVisitor& visitor);

class DataCache final : public StorageDevice, private StorageClient {
 public:
  // `lasts`: if there is a backup capacitor, it feeds the drive until all dirty data are saved, however long that
  // takes.
  DataCache(const CacheParameters& parameters, bool keep_data, StorageDevice& backend, Dram& dram, Calendar& calendar,
            bool lasts = true);

  void set_client(StorageClient& client) override { answers_.set_client(client); }
  void submit(PageAccess& access, Tick now) override;
  std::uint64_t logical_pages() const override { return backend_.logical_pages(); }
  std::uint32_t page_bytes() const override { return unit_bytes_; }

  // All units with data that the backend has not yet written, whether or not the write has been answered.
  std::vector<DirtyUnit> dirty_units() const { return memory_.dirty_units(); }
  // Whether a capacitor saves the cached writes, as far as its energy lasts.
  bool backed_up() const { return parameters_.keeps_writes() && parameters_.backup == CacheBackup::capacitor; }
  // Calls visit(lpn, sectors) for the sectors of answered writes that are not yet on flash.
  template <class Visit>
  void for_each_answered(Visit visit) const {
    memory_.for_each_answered(visit);
  }
  std::uint64_t unsaved() const { return write_back_.unsaved(); }
  // From now on, a flush writes back all dirty units, even with a backup capacitor. No more writes are accepted: data
  // of unanswered writes need not be saved.
  void save() { saving_ = true; }
  // Whether all cached data are on flash.
  bool clean() const { return write_back_.unsaved() == 0; }
  bool read_only() const override { return backend_.read_only(); }
  // If the cache keeps writes, it decides which data survive a power loss.
  DeviceHealth health() const override {
    DeviceHealth health = backend_.health();
    if (parameters_.keeps_writes()) health.volatile_write_cache = !lasts_;
    return health;
  }

  // `persist_counters` saves the counters; `persist` saves the state, and the cache must be clean.
  void persist_counters(Archive& archive);
  void persist(Archive& archive);

  // Whether no host access and no backend operation is under way. Units may still be dirty.
  bool idle() const { return answers_.none_due() && operations_.in_use() == 0; }
  CacheCounters counters() const;
  // Times in which writes waited for room: in DRAM, and in the amount of data that the capacitor can save.
  const TimeAtLimit& room_limit() const { return room_; }
  const TimeAtLimit& save_room_limit() const { return save_room_; }
  const TimeAtLimit& write_back_window() const { return write_back_.window(); }

 private:
  void admit(PageAccess& access, Tick now);
  void read(PageAccess& access, Tick now);
  void read_unit(CachedUnit& unit, PageAccess& access, Tick now);
  void read_through(PageAccess& access, Tick now);
  void read_ahead(Lpn first, Tick now);
  void write(PageAccess& access, Tick now, bool first_in_line);
  void write_unit(CachedUnit& unit, PageAccess& access, Tick now);
  void write_through(PageAccess& access, Tick now);
  void flush(PageAccess& access, Tick now);
  void trim(PageAccess& access, Tick now);

  // Completions of backend operations, in ended_operations.cpp.
  void completed(PageAccess& access, Tick now) override;
  void health_changed(Tick now) override { answers_.health_changed(now); }
  void fetched(CacheOperation& fetch);
  void read_through_ended(CacheOperation& read, Tick now);
  void written_through(CacheOperation& write, Tick now);
  void written_back(CacheOperation& write, Tick now);
  void flushed(CacheOperation& flush, Tick now);
  void trimmed(CacheOperation& trim, Tick now);
  // Settles the unit after a fetch or a write-back, and lets a waiting trim proceed. The unit may be gone afterwards.
  void settle_idle(CachedUnit& unit, Tick now);
  // Continue the accesses that waited for their turn, and the writes that waited for room.
  void release_held(Tick now);
  void serve_waiting(Tick now);
  void note_waiting(Tick now);

  const CacheParameters parameters_;
  StorageDevice& backend_;
  Calendar& calendar_;
  const std::uint32_t unit_bytes_;
  const bool lasts_;  // answered writes survive a power loss without a flush

  HostAnswers answers_;
  OperationPool operations_;
  CacheMemory memory_;
  LostSectors lost_;
  UnitFetches fetches_;
  PendingFlushes flushes_;
  PendingTrims trims_;
  WritesThrough writes_through_;
  WaitingWrites waiting_;  // writes that wait for room
  AccessOrder order_;
  WriteBack write_back_;

  bool saving_ = false;
  TimeAtLimit room_;
  TimeAtLimit save_room_;
  CacheAccessCounters counters_;
};

}  // namespace nandscape::controller
