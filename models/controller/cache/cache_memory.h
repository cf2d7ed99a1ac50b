// SPDX-License-Identifier: Apache-2.0
// The cache's part of the DRAM: the units with their data, what it takes to move these, and which units make room for
// others.
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

// What a capacitor saves of a unit when power fails.
struct DirtyUnit {
  Lpn lpn;
  SectorSet sectors;            // not yet on flash
  std::vector<std::byte> data;  // of the whole unit, in which only these sectors count; empty when no data are kept
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
  // Everything that was answered for, or will be, and that the backend has not yet written.
  std::vector<DirtyUnit> dirty_units() const;
  std::uint64_t count_dirty() const;
  // Calls visit(lpn, sectors) for what the backend has not yet written of the writes that were answered for.
  template <class Visit>
  void for_each_answered(Visit visit) const {
    units_.for_each([&](const CachedUnit& unit) {
      const SectorSet sectors = unit.answered | unit.writing_answered;
      if (sectors.any()) visit(unit.lpn, sectors);
    });
  }

  // There must be room, which another unit may have to make, and no unit of that number.
  CachedUnit& add(Lpn lpn);
  void use(CachedUnit& unit) {
    if (unit.listed == CachedUnit::Listed::clean) clean_.use(unit);
  }
  // It does not make room for others any more.
  void hold(CachedUnit& unit) {
    if (unit.listed == CachedUnit::Listed::clean) clean_.remove(unit);
  }
  // After something about the unit has changed: it may make room for others now, and without content it is gone.
  void settle(CachedUnit& unit);
  void remove(CachedUnit& unit);

  // When the sectors have moved in or out.
  Tick transfer(Dram::Direction direction, const CachedUnit& unit, SectorSet sectors, Tick now);
  // The access's sectors, where both sides keep data.
  void copy_in(CachedUnit& unit, const PageAccess& access) const;
  void copy_out(const CachedUnit& unit, PageAccess& access) const;
  // Of what was read from the backend, the sectors that are not there yet: what is was written meanwhile, or is the
  // same.
  void fill(CachedUnit& unit, const PageAccess& fetched) const;

  // Units that made room for others.
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
