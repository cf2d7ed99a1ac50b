// SPDX-License-Identifier: Apache-2.0
// A mapping unit in the cache, and the lists that it stands in.
#pragma once

#include <cstddef>
#include <cstdint>

#include "controller/cache/access_queue.h"
#include "controller/cache/sector_set.h"
#include "core/ids.h"

namespace nandscape::controller {

struct WriteBackBatch;

struct CachedUnit {
  enum class Listed : std::uint8_t { no, clean, dirty };

  Lpn lpn;  // not valid: the unit is free
  std::uint32_t index = 0;
  SectorSet valid;                  // sectors that are in DRAM
  SectorSet dirty;                  // of these, the ones written since they last were given to the backend
  SectorSet writing;                // sectors that a write-back under way gives to the backend
  SectorSet answered;               // of the dirty ones, those of writes that were answered for
  SectorSet writing_answered;       // likewise, of what is being written
  std::uint64_t order = 0;          // when it became dirty, counted in units that did
  std::uint64_t writing_order = 0;  // the order of what is being written
  std::byte* data = nullptr;        // null when the simulation keeps no data
  WriteBackBatch* batch = nullptr;  // that its write-back goes with, until it is sent
  AccessQueue waiting;              // accesses that wait for the fetch under way
  AccessQueue forced_writes;        // writes that are done when what is dirty now has been written back
  CachedUnit* next_of_hash = nullptr;
  CachedUnit* previous = nullptr;
  CachedUnit* next = nullptr;
  Listed listed = Listed::no;
  bool fetching = false;    // sectors of it are being read from the backend
  bool cleaning = false;    // a write-back is under way, from its start to its end
  bool forced = false;      // to be written back before others
  bool trimmed = false;     // a trim under way takes it away
  bool used = false;        // since it last stood before the clock
  bool prefetched = false;  // and not yet read

  bool busy() const { return fetching || cleaning; }
  // A write that is to be on flash when it ends is there before the trim: a power cut may undo the trim alone.
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
