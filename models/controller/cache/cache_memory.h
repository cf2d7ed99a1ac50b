// SPDX-License-Identifier: Apache-2.0
// The part of the DRAM that the cache uses. CacheMemory stores the cached units and their data, computes the times of
// transfers, and chooses the units to evict.
#pragma once

#include <cstdint>
#include <vector>

#include "controller/cache/unit_table.h"
#include "controller/dram/dram.h"
#include "core/archive.h"
#include "core/parameters.h"
#include "protocol/storage.h"

namespace nandscape::controller {

// Configuration group `controller.cache`.
enum class CachePolicy { none, read, write_back, read_write };
enum class CacheReplacement { lru, fifo, clock };
enum class CacheBackup { none, capacitor };

struct CacheParameters {
  CachePolicy policy = CachePolicy::none;
  std::uint64_t capacity_bytes = std::uint64_t{64} << 20;
  CacheReplacement replacement = CacheReplacement::lru;
  double dirty_high_percent = 50;
  double dirty_low_percent = 40;
  std::uint32_t writes_in_flight = 64;
  std::uint32_t prefetch_pages = 0;
  CacheBackup backup = CacheBackup::none;

  bool keeps_reads() const { return policy == CachePolicy::read || policy == CachePolicy::read_write; }
  bool keeps_writes() const { return policy == CachePolicy::write_back || policy == CachePolicy::read_write; }
  // The number of times that a byte crosses the DRAM bus during a read miss or a write: 2 if it is stored in DRAM and
  // read back, 0 if it bypasses DRAM.
  std::uint32_t dram_passes_of_reads() const { return keeps_reads() ? 2 : 0; }
  std::uint32_t dram_passes_of_writes() const { return keeps_writes() ? 2 : 0; }
};
void describe(CacheParameters& p, ParameterVisitor& v);
// Throws ConfigError if the cache has no room for a unit of `unit_bytes`, or if units of this size are too large or too
// many for the cache's data structures. Does not check anything if there is no cache.
void check(const CacheParameters& p, std::uint32_t unit_bytes);

// The units that may be evicted: they are clean, and no operation on them is under way. A unit joins the end of the
// list when it becomes evictable. The replacement policy decides how a later use changes its position.
class CleanUnits {
 public:
  explicit CleanUnits(CacheReplacement replacement) : replacement_(replacement) {}

  bool empty() const { return list_.empty(); }

  void add(CachedUnit& unit) {
    unit.used = false;
    list_.push_back(unit);
  }
  void remove(CachedUnit& unit) { list_.remove(unit); }

  void use(CachedUnit& unit) {
    unit.used = true;
    if (replacement_ == CacheReplacement::lru) {
      list_.remove(unit);
      list_.push_back(unit);
    }
  }

  // Returns the unit to evict. The list must not be empty.
  CachedUnit& victim() {
    while (replacement_ == CacheReplacement::clock && list_.front().used) {
      CachedUnit& spared = list_.front();
      list_.remove(spared);
      add(spared);
    }
    return list_.front();
  }

 private:
  const CacheReplacement replacement_;
  UnitList list_{CachedUnit::Listed::clean};
};

// The dirty part of a unit, which the drive saves with the energy of the backup capacitor when power fails.
struct DirtyUnit {
  Lpn lpn;
  SectorSet sectors;  // not yet on flash
  // Data of the whole unit, valid only in `sectors`; empty if the simulation keeps no data.
  std::vector<std::byte> data;
};

class CacheMemory {
 public:
  CacheMemory(const CacheParameters& parameters, std::uint32_t unit_bytes, bool keep_data, Dram& dram);

  std::uint32_t capacity() const { return units_.capacity(); }
  SectorSet whole_unit() const { return whole_unit_; }
  // Returns whether a unit can be added at once, by filling a free slot or by evicting a clean unit.
  [[nodiscard]] bool room() const { return !units_.full() || !clean_.empty(); }

  CachedUnit* find(Lpn lpn) const { return units_.find(lpn); }
  template <class Visit>
  void for_each(Lpn first, std::uint64_t count, Visit visit) {
    units_.for_each(first, count, visit);
  }
  // Returns all units with data that the backend has not yet written, including data of writes that the host has not
  // yet been answered.
  std::vector<DirtyUnit> dirty_units() const;
  std::uint64_t count_dirty() const;
  // Calls visit(lpn, sectors) for each unit that has sectors whose write was completed to the host and that the backend
  // has not yet written.
  template <class Visit>
  void for_each_answered(Visit visit) const {
    units_.for_each([&](const CachedUnit& unit) {
      const SectorSet sectors = unit.answered | unit.writing_answered;
      if (sectors.any()) visit(unit.lpn, sectors);
    });
  }

  // Adds an empty unit to the cache, and evicts a clean unit if the cache is full. room() must be true, and the unit
  // must not be cached yet.
  CachedUnit& add(Lpn lpn);
  void use(CachedUnit& unit) {
    if (unit.listed == CachedUnit::Listed::clean) clean_.use(unit);
  }
  // Protects the unit from eviction until settle() makes it evictable again.
  void hold(CachedUnit& unit) {
    if (unit.listed == CachedUnit::Listed::clean) clean_.remove(unit);
  }
  // Must be called after a unit has changed. If the unit is clean and no operation on it is under way, it becomes
  // evictable, or is removed if it has no valid sectors.
  void settle(CachedUnit& unit);
  void remove(CachedUnit& unit);

  // Occupies the DRAM bus for the transfer of the sectors. Returns the time at which all of them have moved into or out
  // of DRAM.
  Tick transfer(Dram::Direction direction, const CachedUnit& unit, SectorSet sectors, Tick now);
  // Copy the sectors of the access into or out of the unit. They do nothing if the cache or the access holds no data.
  void copy_in(CachedUnit& unit, const PageAccess& access) const;
  void copy_out(const CachedUnit& unit, PageAccess& access) const;
  // Copies the fetched sectors that are not valid in the unit. Sectors that are already valid are not copied, because
  // the host has written newer data meanwhile, or because they hold the same data.
  void fill(CachedUnit& unit, const PageAccess& fetched) const;

  // Returns the number of units that have been evicted.
  std::uint64_t evictions() const { return evictions_; }
  void persist_counters(Archive& archive) { archive(evictions_); }

 private:
  const std::uint32_t unit_bytes_;
  const SectorSet whole_unit_;
  const bool keep_data_;
  Dram& dram_;
  UnitTable units_;
  CleanUnits clean_;
  std::uint64_t evictions_ = 0;
};

}  // namespace nandscape::controller
