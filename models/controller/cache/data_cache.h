// SPDX-License-Identifier: Apache-2.0
// The data cache: mapping units in DRAM, between the front end and the flash translation layer, which is its backend.
//
//   read   The cache serves a read from DRAM if all of its sectors are valid there. Otherwise it first fetches the
//          missing sectors from the backend. A read returns the data of all earlier writes and possibly of later ones.
//          It never returns only a part of the data of one write.
//   write  The cache completes a write when its data are in DRAM, and writes them to the backend later (write-back), in
//          batches that fill a flash page. Writes with force_unit_access, and all writes if the policy keeps no writes,
//          bypass the cache (write-through).
//   trim   The cache sends a trim to the backend, and removes the trimmed units when the backend has completed it.
//   flush  The cache writes back the units that were dirty when the flush arrived, and then sends the flush to the
//          backend.
//
// If there is no room for a write, the write waits until a unit is clean. A read does not wait for room: if the unit
// cannot be cached, the read bypasses the cache.
//
// A unit has at most one fetch (unit_fetches.h) and at most one write-back (write_back.h) under way. Accesses to a unit
// wait while a write that bypasses the cache is writing the unit. AccessOrder (access_order.h) keeps accesses to the
// same unit in order. If the backend fails to write sectors, their data are lost (LostSectors in write_back.h). If the
// backend is read-only, the cache refuses writes, since it could never write them back.
//
// DataCache itself admits host accesses, and decides which waiting accesses continue when an operation of the backend
// has ended.
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

// Counts host accesses by how the cache has served them.
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
  // `lasts`: the backup capacitor, if there is one, feeds the drive until all dirty data have been saved, however long
  // saving takes.
  DataCache(const CacheParameters& parameters, bool keep_data, StorageDevice& backend, Dram& dram, Calendar& calendar,
            bool lasts = true);

  void set_client(StorageClient& client) override { answers_.set_client(client); }
  void submit(PageAccess& access, Tick now) override;
  std::uint64_t logical_pages() const override { return backend_.logical_pages(); }
  std::uint32_t page_bytes() const override { return unit_bytes_; }

  // Returns all units with data that the backend has not yet written, including data of writes that the host has not
  // yet been answered.
  std::vector<DirtyUnit> dirty_units() const { return memory_.dirty_units(); }
  // Whether the drive saves cached writes with the energy of a capacitor when power fails. If the energy runs out
  // before all are saved, the rest is lost.
  bool backed_up() const { return parameters_.keeps_writes() && parameters_.backup == CacheBackup::capacitor; }
  // Calls visit(lpn, sectors) for each unit that has sectors whose write was completed to the host and that are not yet
  // on flash.
  template <class Visit>
  void for_each_answered(Visit visit) const {
    memory_.for_each_answered(visit);
  }
  std::uint64_t unsaved() const { return write_back_.unsaved(); }
  // Called when power has failed. From now on, a flush writes back all dirty units, even if there is a backup
  // capacitor. Writes that arrive later are never answered, so their data need not survive.
  void save() { saving_ = true; }
  // Whether all cached data are on flash.
  bool clean() const { return write_back_.unsaved() == 0; }
  bool read_only() const override { return backend_.read_only(); }
  // If the cache keeps writes, the cache and not the backend decides whether answered writes survive a loss of power.
  // Therefore it sets `volatile_write_cache`.
  DeviceHealth health() const override {
    DeviceHealth health = backend_.health();
    if (parameters_.keeps_writes()) health.volatile_write_cache = !lasts_;
    return health;
  }

  // `persist_counters` saves or restores the counters. `persist` saves or restores all other state; the cache must be
  // clean, because units are not saved.
  void persist_counters(Archive& archive);
  void persist(Archive& archive);

  // Whether no host access and no operation of the backend is under way. Units may still be dirty.
  bool idle() const { return answers_.none_due() && operations_.in_use() == 0; }
  CacheCounters counters() const;
  // The time for which writes have waited because DRAM had no room, and the time for which they have waited because the
  // capacitor could not have saved any more data.
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

  // Called when an operation of the backend has completed. These functions are in ended_operations.cpp.
  void completed(PageAccess& access, Tick now) override;
  void health_changed(Tick now) override { answers_.health_changed(now); }
  void background_work(bool under_way, Tick now) override { answers_.background_work(under_way, now); }
  void fetched(CacheOperation& fetch);
  void read_through_ended(CacheOperation& read, Tick now);
  void written_through(CacheOperation& write, Tick now);
  void written_back(CacheOperation& write, Tick now);
  void flushed(CacheOperation& flush, Tick now);
  void trimmed(CacheOperation& trim, Tick now);
  // Called after a fetch or a write-back of the unit has ended. Makes the unit evictable if it is idle and clean, and
  // sends a trim that has waited for it. The unit may have been removed from the cache when this returns.
  void settle_idle(CachedUnit& unit, Tick now);
  // Continue the accesses that AccessOrder holds (release_held) and the writes that wait for room (serve_waiting).
  void release_held(Tick now);
  void serve_waiting(Tick now);
  void note_waiting(Tick now);

  const CacheParameters parameters_;
  StorageDevice& backend_;
  Calendar& calendar_;
  const std::uint32_t unit_bytes_;
  const bool lasts_;  // answered writes survive a loss of power even without a flush

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
