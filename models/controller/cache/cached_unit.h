// SPDX-License-Identifier: Apache-2.0
// A mapping unit in the cache, and the list type that links such units.
#pragma once

#include <cstddef>
#include <cstdint>

#include "controller/cache/sector_set.h"
#include "core/ids.h"
#include "protocol/access_queue.h"

namespace nandscape::controller {

struct WriteBackBatch;

struct CachedUnit {
  enum class Listed : std::uint8_t { no, clean, dirty };

  Lpn lpn;  // not valid: the unit is free
  std::uint32_t index = 0;
  SectorSet valid;                  // sectors in DRAM
  SectorSet dirty;                  // valid sectors written since they were last sent to the backend
  SectorSet writing;                // sectors that a write-back is writing
  SectorSet answered;               // dirty sectors whose write has been answered
  SectorSet writing_answered;       // sectors in `writing` whose write has been answered
  std::uint64_t order = 0;          // running number of the unit among all that became dirty
  std::uint64_t writing_order = 0;  // the `order` of the data being written
  std::byte* data = nullptr;        // null when the simulation keeps no data
  WriteBackBatch* batch = nullptr;  // the batch of its write-back, until that is sent
  AccessQueue waiting;              // accesses that wait for the current fetch
  AccessQueue forced_writes;        // writes that complete when the dirty sectors have been written back
  CachedUnit* next_of_hash = nullptr;
  CachedUnit* previous = nullptr;
  CachedUnit* next = nullptr;
  Listed listed = Listed::no;
  bool fetching = false;    // sectors are being read from the backend
  bool cleaning = false;    // a write-back is under way
  bool forced = false;      // to be written back before others
  bool trimmed = false;     // a pending trim will remove it
  bool used = false;        // since the clock hand last passed it
  bool prefetched = false;  // read ahead and not yet read by the host

  bool busy() const { return fetching || cleaning; }
  // A forced write must be on flash before the trim is: a power cut may undo the trim alone.
  bool holds_up_trim() const { return busy() || !forced_writes.empty(); }
};

class UnitList {
 public:
  explicit UnitList(CachedUnit::Listed kind) : kind_(kind) {}

  bool empty() const { return first_ == nullptr; }
  std::uint32_t size() const { return size_; }
  CachedUnit& front() const { return *first_; }

  void push_back(CachedUnit& unit) { insert(unit, last_, nullptr); }
  void push_front(CachedUnit& unit) { insert(unit, nullptr, first_); }

  void remove(CachedUnit& unit) {
    (unit.previous == nullptr ? first_ : unit.previous->next) = unit.next;
    (unit.next == nullptr ? last_ : unit.next->previous) = unit.previous;
    unit.listed = CachedUnit::Listed::no;
    --size_;
  }

 private:
  void insert(CachedUnit& unit, CachedUnit* previous, CachedUnit* next) {
    unit.previous = previous;
    unit.next = next;
    (previous == nullptr ? first_ : previous->next) = &unit;
    (next == nullptr ? last_ : next->previous) = &unit;
    unit.listed = kind_;
    ++size_;
  }

  const CachedUnit::Listed kind_;
  CachedUnit* first_ = nullptr;
  CachedUnit* last_ = nullptr;
  std::uint32_t size_ = 0;
};

}  // namespace nandscape::controller
