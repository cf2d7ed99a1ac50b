// SPDX-License-Identifier: Apache-2.0
// The table of the cached units: a hash table with the logical page number as its key. Memory is allocated in chunks,
// when units are used for the first time.
#pragma once

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/ids.h"
#include "protocol/access_queue.h"

namespace nandscape::controller {

// A set of sectors of a mapping unit, one bit per sector.
class SectorSet {
 public:
  static constexpr std::uint32_t most_sectors = 128;

  constexpr SectorSet() = default;
  static constexpr SectorSet range(std::uint32_t first, std::uint32_t count) {
    assert(first + count <= most_sectors);
    if (count == 0) return {};
    return SectorSet(~Bits{0} >> (most_sectors - count) << first);
  }

  constexpr bool any() const { return bits_ != 0; }
  constexpr std::uint32_t count() const {
    return static_cast<std::uint32_t>(std::popcount(low()) + std::popcount(high()));
  }
  constexpr bool contains(SectorSet other) const { return (other.bits_ & ~bits_) == 0; }

  // first() returns the lowest sector of the set, and end() the sector after the highest. The set must not be empty.
  constexpr std::uint32_t first() const {
    return static_cast<std::uint32_t>(low() != 0 ? std::countr_zero(low()) : 64 + std::countr_zero(high()));
  }
  constexpr std::uint32_t end() const {
    return static_cast<std::uint32_t>(high() != 0 ? 128 - std::countl_zero(high()) : 64 - std::countl_zero(low()));
  }
  // Returns the set of all sectors from the lowest to the highest sector of this set.
  constexpr SectorSet span() const { return any() ? range(first(), end() - first()) : SectorSet(); }

  // Calls visit(first, count) for each run of adjacent sectors, in ascending order.
  template <class Visit>
  constexpr void for_each_run(Visit visit) const {
    for (SectorSet left = *this; left.any();) {
      const std::uint32_t from = left.first();
      std::uint32_t length = 1;
      while (from + length < most_sectors && (left.bits_ >> (from + length) & 1) != 0) ++length;
      visit(from, length);
      left = left - range(from, length);
    }
  }

  friend constexpr bool operator==(SectorSet, SectorSet) = default;
  friend constexpr SectorSet operator|(SectorSet a, SectorSet b) { return SectorSet(a.bits_ | b.bits_); }
  friend constexpr SectorSet operator&(SectorSet a, SectorSet b) { return SectorSet(a.bits_ & b.bits_); }
  friend constexpr SectorSet operator-(SectorSet a, SectorSet b) { return SectorSet(a.bits_ & ~b.bits_); }

 private:
  using Bits = unsigned __int128;

  constexpr explicit SectorSet(Bits bits) : bits_(bits) {}
  constexpr std::uint64_t low() const { return static_cast<std::uint64_t>(bits_); }
  constexpr std::uint64_t high() const { return static_cast<std::uint64_t>(bits_ >> 64); }

  Bits bits_ = 0;
};

// A mapping unit in the cache. UnitList links such units.
struct WriteBackBatch;

struct CachedUnit {
  enum class Listed : std::uint8_t { no, clean, dirty };

  Lpn lpn;  // an invalid page number if this entry is free
  std::uint32_t index = 0;
  SectorSet valid;                  // sectors in DRAM
  SectorSet dirty;                  // valid sectors with data newer than those sent to the backend
  SectorSet writing;                // sectors that the current write-back is writing
  SectorSet answered;               // dirty sectors whose host write has been completed
  SectorSet writing_answered;       // sectors in `writing` whose host write has been completed
  std::uint64_t order = 0;          // number that the unit was given when it became dirty; rises from unit to unit
  std::uint64_t writing_order = 0;  // the `order` of the data that the current write-back is writing
  std::byte* data = nullptr;        // null when the simulation keeps no data
  WriteBackBatch* batch = nullptr;  // the batch of the current write-back until the batch is sent
  AccessQueue waiting;              // accesses that wait for the current fetch
  AccessQueue forced_writes;        // writes that complete when the dirty sectors have been written back
  CachedUnit* next_of_hash = nullptr;
  CachedUnit* previous = nullptr;
  CachedUnit* next = nullptr;
  Listed listed = Listed::no;
  bool fetching = false;    // sectors are being read from the backend
  bool cleaning = false;    // a write-back is under way
  bool forced = false;      // it must be written back before other units
  bool trimmed = false;     // a pending trim will remove it
  bool used = false;        // used since the unit was last added to the list of clean units or passed by the clock hand
  bool prefetched = false;  // read ahead, and not read by the host since

  bool busy() const { return fetching || cleaning; }
  // Returns whether a trim must wait for this unit. It waits for operations under way, and until forced writes are on
  // flash: if power fails, the trim may be undone, but a forced write must not be lost.
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

class UnitTable {
 public:
  // `data_bytes` is the size of a unit's data, or 0 when the simulation keeps no data.
  UnitTable(std::uint32_t capacity, std::uint32_t data_bytes) : capacity_(capacity), data_bytes_(data_bytes) {}

  std::uint32_t capacity() const { return capacity_; }
  std::uint32_t in_use() const { return in_use_; }
  bool full() const { return in_use_ == capacity_; }

  CachedUnit* find(Lpn lpn) const;
  // Adds an entry for the unit. The table must not be full and must not contain the unit yet.
  CachedUnit& add(Lpn lpn);
  void remove(CachedUnit& unit);

  // Calls visit(unit) for each unit in the table whose page number is in [first, first + count). visit() may remove the
  // unit that it is given.
  template <class Visit>
  void for_each(Lpn first, std::uint64_t count, Visit visit) {
    if (count < in_use_) {
      for (std::uint64_t k = 0; k < count; ++k) {
        if (CachedUnit* unit = find(Lpn(first.value + k))) visit(*unit);
      }
    } else {
      for (std::uint32_t index = 0; index < touched_; ++index) {
        CachedUnit& unit = at(index);
        if (unit.lpn.valid() && unit.lpn.value - first.value < count) visit(unit);
      }
    }
  }
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::uint32_t index = 0; index < touched_; ++index) {
      const CachedUnit& unit = at(index);
      if (unit.lpn.valid()) visit(unit);
    }
  }

 private:
  static constexpr std::uint32_t chunk_units = 64;

  struct Chunk {
    CachedUnit units[chunk_units];
    std::unique_ptr<std::byte[]> data;
  };

  CachedUnit& at(std::uint32_t index) const { return chunks_[index / chunk_units]->units[index % chunk_units]; }
  std::size_t chain(Lpn lpn) const;
  void touch_next();
  void grow_chains();

  const std::uint32_t capacity_;
  const std::uint32_t data_bytes_;
  std::uint32_t touched_ = 0;
  std::uint32_t in_use_ = 0;
  CachedUnit* free_ = nullptr;  // list of free entries, linked through next_of_hash
  std::vector<std::unique_ptr<Chunk>> chunks_;
  std::vector<CachedUnit*> chains_ = std::vector<CachedUnit*>(chunk_units);  // the size is always a power of two
};

}  // namespace nandscape::controller
