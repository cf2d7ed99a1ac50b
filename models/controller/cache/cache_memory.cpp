// SPDX-License-Identifier: Apache-2.0
#include "controller/cache/cache_memory.h"

#include <cstring>
#include <limits>
#include <string>

#include "controller/cache/unit_table.h"
#include "core/error.h"
#include "protocol/storage.h"

namespace nandscape::controller {

void describe(CacheParameters& p, ParameterVisitor& v) {
  v.unread_if(p.policy == CachePolicy::none,
              {"capacity_bytes", "replacement", "dirty_high_percent", "dirty_low_percent", "writes_in_flight",
               "prefetch_pages", "backup"},
              "policy is none");
  v.unread_if(!p.keeps_writes(), {"dirty_high_percent", "dirty_low_percent", "writes_in_flight", "backup"},
              "policy keeps no writes");
  v.unread_if(!p.keeps_reads(), {"prefetch_pages"}, "policy keeps no reads");
  v.choice("policy", p.policy,
           {{"none", "there is no cache"},
            {"read", "data that were read; writes bypass it"},
            {"write_back", "data that were written: answered from DRAM and written to flash later"},
            {"read_write", "both"}},
           "what the cache keeps");
  v.integer("capacity_bytes", p.capacity_bytes, {sector_bytes, std::int64_t{1} << 46}, "bytes",
            "DRAM that holds host data");
  v.choice("replacement", p.replacement,
           {{"lru", "the least recently used unit"},
            {"fifo", "the unit that has been clean longest"},
            {"clock", "as fifo, but a unit used since then gets a second chance"}},
           "which clean unit is evicted to make room");
  v.real("dirty_high_percent", p.dirty_high_percent, {0, 100}, "percent",
         "share of dirty units above which background write-back begins");
  v.real("dirty_low_percent", p.dirty_low_percent, {0, 100}, "percent",
         "share of dirty units at which background write-back ends");
  v.integer("writes_in_flight", p.writes_in_flight, {1, 1 << 16}, "", "units written back at the same time");
  v.integer("prefetch_pages", p.prefetch_pages, {0, 4096}, "pages",
            "units read ahead of a sequential stream, by a policy that keeps reads");
  v.choice("backup", p.backup,
           {{"none", "flush and force unit access write to flash"},
            {"capacitor", "data in DRAM outlive a power cut, so flush and force unit access are answered from there"}},
           "what happens to the cached writes when power fails");
}

void check(const CacheParameters& p, std::uint32_t unit_bytes) {
  if (p.policy == CachePolicy::none) return;
  if (unit_bytes > SectorSet::most_sectors * sector_bytes) {
    throw ConfigError({}, "controller.cache.policy",
                      "must be none with mapping units of " + std::to_string(unit_bytes) +
                          " bytes: the cache holds units of 65536 bytes at most");
  }
  if (p.capacity_bytes < unit_bytes) {
    throw ConfigError({}, "controller.cache.capacity_bytes",
                      "must hold at least one mapping unit of " + std::to_string(unit_bytes) + " bytes");
  }
  if (p.capacity_bytes / unit_bytes >= std::numeric_limits<std::uint32_t>::max()) {
    throw ConfigError({}, "controller.cache.capacity_bytes",
                      "must hold fewer than 2^32 - 1 mapping units of " + std::to_string(unit_bytes) + " bytes");
  }
}

CacheMemory::CacheMemory(const CacheParameters& parameters, std::uint32_t unit_bytes, bool keep_data, Dram& dram)
    : unit_bytes_(unit_bytes),
      whole_unit_(SectorSet::range(0, unit_bytes / sector_bytes)),
      keep_data_(keep_data),
      dram_(dram),
      units_(static_cast<std::uint32_t>(parameters.capacity_bytes / unit_bytes), keep_data ? unit_bytes : 0),
      clean_(parameters.replacement) {}

std::vector<DirtyUnit> CacheMemory::dirty_units() const {
  std::vector<DirtyUnit> dirty;
  units_.for_each([&](const CachedUnit& unit) {
    const SectorSet sectors = unit.dirty | unit.writing;
    if (!sectors.any()) return;
    DirtyUnit& saved = dirty.emplace_back(DirtyUnit{unit.lpn, sectors, {}});
    if (!keep_data_) return;
    saved.data.resize(unit_bytes_);
    sectors.for_each_run([&](std::uint32_t first, std::uint32_t count) {
      const std::size_t offset = std::size_t{first} * sector_bytes;
      std::memcpy(saved.data.data() + offset, unit.data + offset, std::size_t{count} * sector_bytes);
    });
  });
  return dirty;
}

std::uint64_t CacheMemory::count_dirty() const {
  std::uint64_t count = 0;
  units_.for_each([&](const CachedUnit& unit) { count += (unit.dirty | unit.writing).any(); });
  return count;
}

CachedUnit& CacheMemory::add(Lpn lpn) {
  if (units_.full()) {
    remove(clean_.victim());
    ++evictions_;
  }
  return units_.add(lpn);
}

void CacheMemory::settle(CachedUnit& unit) {
  if (unit.dirty.any() || unit.busy()) return;
  if (!unit.valid.any()) {
    remove(unit);
  } else if (unit.listed == CachedUnit::Listed::no) {
    clean_.add(unit);
  }
}

void CacheMemory::remove(CachedUnit& unit) {
  hold(unit);
  units_.remove(unit);
}

Tick CacheMemory::transfer(Dram::Direction direction, const CachedUnit& unit, SectorSet sectors, Tick now) {
  const std::uint64_t address = std::uint64_t{unit.index} * unit_bytes_ + std::uint64_t{sectors.first()} * sector_bytes;
  return dram_.transfer(direction, address, std::uint64_t{sectors.count()} * sector_bytes, now);
}

void CacheMemory::copy_in(CachedUnit& unit, const PageAccess& access) const {
  if (!keep_data_ || access.data == nullptr) return;
  std::memcpy(unit.data + std::size_t{access.first_sector} * sector_bytes, access.data,
              std::size_t{access.sector_count} * sector_bytes);
}

void CacheMemory::copy_out(const CachedUnit& unit, PageAccess& access) const {
  if (!keep_data_ || access.data == nullptr) return;
  std::memcpy(access.data, unit.data + std::size_t{access.first_sector} * sector_bytes,
              std::size_t{access.sector_count} * sector_bytes);
}

void CacheMemory::fill(CachedUnit& unit, const PageAccess& fetched) const {
  const SectorSet missing = SectorSet::range(fetched.first_sector, fetched.sector_count) - unit.valid;
  if (keep_data_) {
    missing.for_each_run([&](std::uint32_t first, std::uint32_t count) {
      std::memcpy(unit.data + std::size_t{first} * sector_bytes,
                  fetched.data + std::size_t{first - fetched.first_sector} * sector_bytes,
                  std::size_t{count} * sector_bytes);
    });
  }
  unit.valid = unit.valid | missing;
}

}  // namespace nandscape::controller
