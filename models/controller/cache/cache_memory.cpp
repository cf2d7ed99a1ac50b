// SPDX-License-Identifier: Apache-2.0
#include "controller/cache/cache_memory.h"

#include <cstring>

namespace nandscape::controller {

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
