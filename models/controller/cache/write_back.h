// SPDX-License-Identifier: Apache-2.0
// Write-back: the units with dirty sectors, which of them the backend gets next and when, and what it has been given.
//
// It begins above the high mark and ends at the low one, and goes on while anybody waits for it. As many units go
// together as fill a page of the flash. A unit has one write-back under way at most. It may be written while it is
// written back: what is written back is a snapshot, and the unit is dirty again.
//
// A write-back that fails is not tried again: the backend has done what it could. Its sectors are lost.
#pragma once

#include <cstdint>
#include <vector>

#include "controller/cache/cache_memory.h"
#include "controller/cache/host_answers.h"
#include "controller/cache/lost_sectors.h"
#include "controller/cache/operation_pool.h"
#include "controller/cache/parameters.h"
#include "controller/cache/pending_flushes.h"
#include "controller/cache/unit_fetches.h"
#include "controller/cache/waiting_writes.h"
#include "core/archive.h"
#include "core/calendar.h"
#include "core/pool.h"
#include "core/time_at_limit.h"
#include "protocol/storage.h"

namespace nandscape::controller {

struct WriteBackCounters {
  std::uint64_t write_backs = 0;
  std::uint64_t failed_write_backs = 0;
};

class WriteBack {
 public:
  // Flushes wait for it to write back what became dirty before they came, `waiting` for it to make room.
  // `lasts`: what is dirty has to be saved when the power fails.
  WriteBack(const CacheParameters& parameters, bool lasts, CacheMemory& memory, OperationPool& operations,
            UnitFetches& fetches, LostSectors& lost, PendingFlushes& flushes, const WaitingWrites& waiting,
            HostAnswers& answers, StorageDevice& backend, Calendar& calendar);

  // How many units have become dirty: flushes wait for those up to that number.
  std::uint64_t last_order() const { return last_order_; }
  // Units that hold data not yet on flash.
  std::uint64_t unsaved() const { return dirty_count_ + writing_count_; }
  // Whether what a capacitor has to save may become one unit more.
  bool may_save_another() const { return !lasts_ || unsaved() < backend_.save_room(); }
  // Nothing is to be saved, and nothing could be.
  bool saves_none() const { return lasts_ && unsaved() == 0 && backend_.save_room() == 0; }

  // The unit has become dirty.
  void add(CachedUnit& unit);
  // Its dirty sectors are to be written back before others.
  void force(CachedUnit& unit);
  // A trim is to take the unit away, and no forced write waits: it is not written back meanwhile.
  void set_aside(CachedUnit& unit) { leave_queue(unit); }
  // The trim has failed, or has taken the unit away.
  void take_back(CachedUnit& unit);
  void drop(CachedUnit& unit);

  // Begins as many write-backs as are wanted.
  void start(Tick now);
  // Sends the unit's dirty sectors, or fetches what lies between them, unless an earlier operation is under way.
  void go_on(CachedUnit& unit, Tick now);
  void fetch_failed(CachedUnit& unit, AccessStatus status, Tick now);
  // The backend has answered; the operation is gone then.
  void finish(CacheOperation& write, Tick now);

  const WriteBackCounters& counters() const { return counters_; }
  // Units waited to be written back, and the host for them, while writes_in_flight of them were under way.
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
  const std::uint32_t batch_units_;  // that are written back together
  const std::uint32_t most_in_flight_;
  const std::uint32_t dirty_high_;
  const std::uint32_t dirty_low_;

  UnitList dirty_{CachedUnit::Listed::dirty};  // to be written back, in that order
  bool draining_ = false;                      // from the high to the low mark
  std::uint32_t forced_ = 0;                   // units of dirty_ that are to be written back at once
  std::uint32_t cleaning_ = 0;                 // write-backs under way
  TimeAtLimit window_;                         // of these
  std::uint64_t dirty_count_ = 0;              // units with dirty sectors
  std::uint64_t writing_count_ = 0;            // units with sectors that the backend is writing
  std::uint64_t last_order_ = 0;

  Pool<WriteBackBatch> batches_;
  std::vector<CachedUnit*> joining_;  // while a batch is made up
  WriteBackCounters counters_;
};

}  // namespace nandscape::controller
