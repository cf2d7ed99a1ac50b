// SPDX-License-Identifier: Apache-2.0
// Writes dirty units back to the backend. WriteBack queues dirty units, decides when to send which of them, and tracks
// the writes under way.
//
// Background write-back begins when the number of queued units exceeds the high mark, and ends when it has fallen to
// the low mark. Units are also written back, whatever their number, while a flush, a forced write or a write without
// room waits for them. Units are sent in batches that fill a flash page. A unit has at most one write-back under way.
// If the host writes the unit during its write-back, the write-back still writes the old data, and the unit is dirty
// again.
//
// A failed write-back is not repeated, since the backend itself has already tried everything to write the data. The
// sectors are then lost.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "controller/cache/access_order.h"
#include "controller/cache/cache_memory.h"
#include "controller/cache/cache_operation.h"
#include "controller/cache/unit_fetches.h"
#include "controller/cache/unit_table.h"
#include "core/archive.h"
#include "core/calendar.h"
#include "core/ids.h"
#include "core/pool.h"
#include "core/time_at_limit.h"
#include "protocol/storage.h"

namespace nandscape::controller {

// The sectors of answered writes that could not be written back. A read of a lost sector fails until the host writes or
// trims the sector, because the backend may still hold older data of it. Flushes fail as long as any sector is lost.
class LostSectors {
 public:
  // Records that a write-back of the unit has failed with the status `failure`. `sectors` are the sectors that are
  // lost. The set is empty if the host has overwritten all of them meanwhile.
  void lose(Lpn lpn, SectorSet sectors, AccessStatus failure);
  bool holds(const PageAccess& read) const { return !lost_.empty() && find(read); }
  void written(Lpn lpn, SectorSet sectors) {
    if (!lost_.empty()) forget(lpn, sectors);
  }
  void trimmed(Lpn first, std::uint64_t pages);

  // Returns the status with which to complete a flush: the status of the latest failed write-back if any sector is
  // lost, otherwise `ok`.
  AccessStatus failure() const { return lost_.empty() ? AccessStatus::ok : failure_; }

  // Saves or restores the lost sectors. The device has `pages` logical pages, and `whole_unit` is the set of all
  // sectors of a page.
  void persist(Archive& archive, std::uint64_t pages, SectorSet whole_unit);

 private:
  bool find(const PageAccess& read) const;
  void forget(Lpn lpn, SectorSet sectors);

  std::unordered_map<Lpn, SectorSet> lost_;
  AccessStatus failure_ = AccessStatus::ok;
};

struct WriteBackCounters {
  std::uint64_t write_backs = 0;
  std::uint64_t failed_write_backs = 0;
};

class WriteBack {
 public:
  // `flushes` are the host flushes that wait for dirty units, and `waiting` are the writes that wait for room. `lasts`:
  // a backup capacitor must be able to save all dirty data when power fails.
  WriteBack(const CacheParameters& parameters, bool lasts, CacheMemory& memory, OperationPool& operations,
            UnitFetches& fetches, LostSectors& lost, PendingFlushes& flushes, const WaitingWrites& waiting,
            HostAnswers& answers, StorageDevice& backend, Calendar& calendar);

  // Returns how often units have become dirty so far, which is the number of the unit that became dirty last. A flush
  // waits for all units up to this number.
  std::uint64_t last_order() const { return last_order_; }
  // Returns the number of units with data that are not yet on flash.
  std::uint64_t unsaved() const { return dirty_count_ + writing_count_; }
  // Returns whether the energy of the capacitor would suffice to save one more unit. True if there is no capacitor.
  [[nodiscard]] bool may_save_another() const { return !lasts_ || unsaved() < backend_.save_room(); }
  // Returns whether the capacitor could not save even one unit, although none is dirty. All writes must then bypass the
  // cache.
  bool saves_none() const { return lasts_ && unsaved() == 0 && backend_.save_room() == 0; }

  // Must be called when the unit has become dirty. Queues the unit, unless a write-back of it is under way.
  void add(CachedUnit& unit);
  // Marks the unit as forced, so that its dirty sectors are written back before those of other units.
  void force(CachedUnit& unit);
  // Removes the unit from the queue, because a trim that will remove the unit is pending. No forced write may wait for
  // the unit.
  void set_aside(CachedUnit& unit) { leave_queue(unit); }
  // Called when the trim of the unit has ended. take_back() queues a dirty unit again if the trim has failed. drop()
  // forgets the dirty data, since the trim has removed the unit.
  void take_back(CachedUnit& unit);
  void drop(CachedUnit& unit);

  // Starts write-backs as long as any are needed and the limit of write-backs under way allows.
  void start(Tick now);
  // Continues the write-back of the unit. Sends its dirty sectors, or first fetches the sectors that are needed but not
  // valid. Does nothing while a fetch or an earlier write of the unit is under way.
  void go_on(CachedUnit& unit, Tick now);
  void fetch_failed(CachedUnit& unit, AccessStatus status, Tick now);
  // Called when the backend has completed the write. Updates the unit, answers the forced writes, and releases the
  // operation.
  void finish(CacheOperation& write, Tick now);

  const WriteBackCounters& counters() const { return counters_; }
  // The time for which the host has waited for queued units because the limit `writes_in_flight` was reached.
  const TimeAtLimit& window() const { return window_; }
  void persist_counters(Archive& archive) { archive(counters_, window_); }

 private:
  bool wanted();
  bool waited_for() const { return forced_ != 0 || !waiting_.empty() || !flushes_.empty(); }
  void enqueue(CachedUnit& unit);
  void leave_queue(CachedUnit& unit);
  void start_batch(Tick now);
  void join(WriteBackBatch& batch, CachedUnit& unit);
  void prepared(WriteBackBatch& batch, CacheOperation* write, Tick now);
  void send(CacheOperation& write);
  void lose(CachedUnit& unit, SectorSet sectors, AccessStatus failure);
  void answer(AccessQueue forced, AccessStatus status, Tick now);

  CacheMemory& memory_;
  OperationPool& operations_;
  UnitFetches& fetches_;
  LostSectors& lost_;
  PendingFlushes& flushes_;
  const WaitingWrites& waiting_;
  HostAnswers& answers_;
  StorageDevice& backend_;
  Calendar& calendar_;
  const bool lasts_;
  const std::uint32_t batch_units_;  // the number of units that fill a flash page
  const std::uint32_t most_in_flight_;
  const std::uint32_t dirty_high_;
  const std::uint32_t dirty_low_;

  UnitList dirty_{CachedUnit::Listed::dirty};  // units to be written back, in this order
  bool draining_ = false;                      // true from the high mark until the low mark is reached
  std::uint32_t forced_ = 0;                   // units in dirty_ that are forced
  std::uint32_t cleaning_ = 0;                 // write-backs under way
  TimeAtLimit window_;                         // counts the time for which `cleaning_` was at its limit
  std::uint64_t dirty_count_ = 0;              // units with dirty sectors
  std::uint64_t writing_count_ = 0;            // units with sectors that the backend is writing
  std::uint64_t last_order_ = 0;

  Pool<WriteBackBatch> batches_;
  std::vector<CachedUnit*> joining_;  // reused by start_batch()
  WriteBackCounters counters_;
};

}  // namespace nandscape::controller
