// SPDX-License-Identifier: Apache-2.0
// The cache's part of the DRAM: stores the units and their data, times transfers, and chooses the units to evict.
#pragma once

#include <cstdint>
#include <vector>

#include "controller/cache/clean_units.h"
#include "controller/cache/parameters.h"
#include "controller/cache/unit_table.h"
#include "controller/dram/dram.h"
#include "core/archive.h"
#include "protocol/storage.h"

namespace nandscape::controller {

// The dirty part of a unit, which a capacitor saves when power fails.
struct DirtyUnit {
  Lpn lpn;
  SectorSet sectors;            // not yet on flash
  std::vector<std::byte> data;  // the whole unit, of which only `sectors` are used; empty when no data are kept
};

class CacheMemory {
 public:
  CacheMemory(const CacheParameters& parameters, std::uint32_t unit_bytes, bool keep_data, Dram& dram);

  std::uint32_t capacity() const { return units_.capacity(); }
  SectorSet whole_unit() const { return whole_unit_; }
  // Whether a unit can be added at once.
  bool room() const { return !units_.full() || !clean_.empty(); }

  CachedUnit* find(Lpn lpn) const { return units_.find(lpn); }
  template <class Visit>
  void for_each(Lpn first, std::uint64_t count, Visit visit) {
    units_.for_each(first, count, visit);
  }
  // All units with data that the backend has not yet written, whether or not the write has been answered.
  std::vector<DirtyUnit> dirty_units() const;
  std::uint64_t count_dirty() const;
  // Calls visit(lpn, sectors) for the sectors of answered writes that the backend has not yet written.
  template <class Visit>
  void for_each_answered(Visit visit) const {
    units_.for_each([&](const CachedUnit& unit) {
      const SectorSet sectors = unit.answered | unit.writing_answered;
      if (sectors.any()) visit(unit.lpn, sectors);
    });
  }

  // Adds a unit, evicting a clean one if necessary. room() must be true, and the unit must not be cached.
  CachedUnit& add(Lpn lpn);
  void use(CachedUnit& unit) {
    if (unit.listed == CachedUnit::Listed::clean) clean_.use(unit);
  }
  // Protects the unit from eviction.
  void hold(CachedUnit& unit) {
    if (unit.listed == CachedUnit::Listed::clean) clean_.remove(unit);
  }
  // Called after the unit has changed: an idle clean unit becomes evictable, and an idle unit without valid sectors is
  // removed.
  void settle(CachedUnit& unit);
  void remove(CachedUnit& unit);

  // Returns the time when the sectors have moved into or out of DRAM.
  Tick transfer(Dram::Direction direction, const CachedUnit& unit, SectorSet sectors, Tick now);
  // Copy the access's sectors if both the cache and the access hold data.
  void copy_in(CachedUnit& unit, const PageAccess& access) const;
  void copy_out(const CachedUnit& unit, PageAccess& access) const;
  // Fills in the fetched sectors that the unit lacks. Sectors that are already valid were written meanwhile or hold the
  // same data.
  void fill(CachedUnit& unit, const PageAccess& fetched) const;

  // Units evicted.
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
