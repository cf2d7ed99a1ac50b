// SPDX-License-Identifier: Apache-2.0
// Writes dirty units back: queues them, decides which are sent to the backend and when, and tracks the writes under
// way.
//
// Background write-back begins above the high mark and ends at the low mark. It also runs while an access waits for it.
// Units are sent in batches that fill a flash page. A unit has at most one write-back under way. If the host writes the
// unit meanwhile, the write-back still writes its snapshot, and the unit becomes dirty again.
//
// A failed write-back is not repeated, since the backend has already tried all it can. Its sectors are lost.
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

// Sectors of answered writes that could not be written back. Reads of them fail until they are written or trimmed, so
// that no read returns older data. Flushes fail meanwhile.
class LostSectors {
 public:
  // Records that a write-back of the unit failed with status `failure`. `sectors` may be empty, since the host may have
  // overwritten all of them meanwhile.
  void lose(Lpn lpn, SectorSet sectors, AccessStatus failure);
  bool holds(const PageAccess& read) const { return !lost_.empty() && find(read); }
  void written(Lpn lpn, SectorSet sectors) {
    if (!lost_.empty()) forget(lpn, sectors);
  }
  void trimmed(Lpn first, std::uint64_t pages);

  // The status with which to answer flushes: that of the latest failed write-back while any sector is lost, otherwise
  // ok.
  AccessStatus failure() const { return lost_.empty() ? AccessStatus::ok : failure_; }

  // The device has `pages` logical pages, each with the sectors `whole_unit`.
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
  // `flushes` wait for units that became dirty before them; `waiting` are the writes that wait for room. `lasts`: dirty
  // data must be saved when power fails.
  WriteBack(const CacheParameters& parameters, bool lasts, CacheMemory& memory, OperationPool& operations,
            UnitFetches& fetches, LostSectors& lost, PendingFlushes& flushes, const WaitingWrites& waiting,
            HostAnswers& answers, StorageDevice& backend, Calendar& calendar);

  // Number of times that a unit has become dirty; a flush waits for the units up to this number.
  std::uint64_t last_order() const { return last_order_; }
  // Units with data not yet on flash.
  std::uint64_t unsaved() const { return dirty_count_ + writing_count_; }
  // Whether the capacitor could save one more unit.
  [[nodiscard]] bool may_save_another() const { return !lasts_ || unsaved() < backend_.save_room(); }
  // Whether no unit waits to be saved and the capacitor could not save even one.
  bool saves_none() const { return lasts_ && unsaved() == 0 && backend_.save_room() == 0; }

  // Called when the unit has become dirty.
  void add(CachedUnit& unit);
  // Writes the unit's dirty sectors back before those of other units.
  void force(CachedUnit& unit);
  // Keeps the unit from being written back while a trim that will remove it is pending. No forced write may wait for
  // the unit.
  void set_aside(CachedUnit& unit) { leave_queue(unit); }
  // Called when the trim has failed (take_back) or has removed the unit (drop).
  void take_back(CachedUnit& unit);
  void drop(CachedUnit& unit);

  // Begins write-backs while any are wanted and the window has room.
  void start(Tick now);
  // Sends the unit's dirty sectors, or first fetches the sectors that the write lacks. Does nothing while an earlier
  // operation of the unit is under way.
  void go_on(CachedUnit& unit, Tick now);
  void fetch_failed(CachedUnit& unit, AccessStatus status, Tick now);
  // Called when the backend has answered. Releases the operation.
  void finish(CacheOperation& write, Tick now);

  const WriteBackCounters& counters() const { return counters_; }
  // Time in which the host waited for queued units because writes_in_flight write-backs were under way.
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
  const std::uint32_t batch_units_;  // written back together
  const std::uint32_t most_in_flight_;
  const std::uint32_t dirty_high_;
  const std::uint32_t dirty_low_;

  UnitList dirty_{CachedUnit::Listed::dirty};  // to be written back, in this order
  bool draining_ = false;                      // true from the high mark down to the low mark
  std::uint32_t forced_ = 0;                   // units in dirty_ that are forced
  std::uint32_t cleaning_ = 0;                 // write-backs under way
  TimeAtLimit window_;                         // cleaning_ at its limit
  std::uint64_t dirty_count_ = 0;              // units with dirty sectors
  std::uint64_t writing_count_ = 0;            // units with sectors that the backend is writing
  std::uint64_t last_order_ = 0;

  Pool<WriteBackBatch> batches_;
  std::vector<CachedUnit*> joining_;  // scratch for start_batch
  WriteBackCounters counters_;
};

}  // namespace nandscape::controller
