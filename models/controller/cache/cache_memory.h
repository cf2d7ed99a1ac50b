// SPDX-License-Identifier: Apache-2.0
// The cache's part of the DRAM: stores the units and their data, times transfers, and chooses the units to evict.
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
  // How often each byte of a read miss, or of a write, crosses the DRAM bus: twice if it is written to DRAM and read
  // back, never if it bypasses DRAM.
  std::uint32_t dram_passes_of_reads() const { return keeps_reads() ? 2 : 0; }
  std::uint32_t dram_passes_of_writes() const { return keeps_writes() ? 2 : 0; }
};
void describe(CacheParameters& p, ParameterVisitor& v);
// Throws ConfigError when a cache cannot hold units of `unit_bytes`.
void check(const CacheParameters& p, std::uint32_t unit_bytes);

// The units that may be evicted, which are clean and idle, in the order in which they became so. The replacement policy
// decides how a use changes this order.
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

  // Returns the unit to evict. At least one unit must be listed.
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

// The dirty part of a unit, which a capacitor saves when power fails.
struct DirtyUnit {
  Lpn lpn;
  SectorSet sectors;            // not yet on flash
  std::vector<std::byte> data;  // the whole unit; only `sectors` are used; empty when no data are kept
};

class CacheMemory {
 public:
  CacheMemory(const CacheParameters& parameters, std::uint32_t unit_bytes, bool keep_data, Dram& dram);

  std::uint32_t capacity() const { return units_.capacity(); }
  SectorSet whole_unit() const { return whole_unit_; }
  // Whether a unit can be added at once.
  [[nodiscard]] bool room() const { return !units_.full() || !clean_.empty(); }

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
