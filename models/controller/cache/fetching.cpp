// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "controller/cache/data_cache.h"

namespace nandscape {

void DataCache::fetch(CachedUnit& unit, SectorSet sectors, PageAccess* reader, Tick now) {
  CacheOperation& fetch = make_operation(CacheOperation::Purpose::fetch, AccessKind::read, unit.lpn);
  fetch.first_sector = static_cast<std::uint16_t>(sectors.first());
  fetch.sector_count = static_cast<std::uint16_t>(sectors.count());
  fetch.unit = &unit;
  fetch.host = reader;
  if (reader != nullptr) fetch.stream = reader->stream;
  fetch.for_write_back = reader == nullptr && unit.cleaning;
  give_buffer(fetch);
  unit.fetching = true;
  if (unit.listed == CachedUnit::Listed::clean) clean_.remove(unit);
  backend_.submit(fetch, now);
}

// The data come through DRAM. Until they are there, nothing is done with the unit that would be undone by a backend
// which answers at once.
void DataCache::fetch_arrived(CacheOperation& fetch, Tick now) {
  Tick at = now;
  if (fetch.status == AccessStatus::ok) {
    const SectorSet sectors = SectorSet::range(fetch.first_sector, fetch.sector_count);
    at = transfer(Dram::Direction::write, *fetch.unit, sectors, now);
  }
  calendar_.schedule<&DataCache::fetched>(at, *this, fetch);
}

void DataCache::fetched(CacheOperation& fetch) {
  const Tick now = calendar_.now();
  CachedUnit& unit = *fetch.unit;
  const AccessStatus status = fetch.status;
  const PageAccess* const reader = fetch.host;
  const bool for_write_back = fetch.for_write_back;
  if (status == AccessStatus::ok) {
    // What is valid was written meanwhile, or is the same.
    const SectorSet missing = SectorSet::range(fetch.first_sector, fetch.sector_count) - unit.valid;
    if (keep_data_) {
      missing.for_each_run([&](std::uint32_t first, std::uint32_t count) {
        std::memcpy(unit.data + std::size_t{first} * sector_bytes,
                    fetch.data + std::size_t{first - fetch.first_sector} * sector_bytes,
                    std::size_t{count} * sector_bytes);
      });
    }
    unit.valid = unit.valid | missing;
  }
  free_operation(fetch);
  unit.fetching = false;

  AccessQueue writes;
  for (AccessQueue waiting = unit.waiting.take(); !waiting.empty();) {
    PageAccess& access = waiting.pop();
    if (access.kind == AccessKind::write) {
      writes.push(access);
    } else if (&access == reader && status != AccessStatus::ok) {
      fail_lost(access, now);
    } else {
      read_unit(unit, access, now);
    }
  }
  held_.prepend(writes);
  if (unit.cleaning) {
    if (for_write_back && status != AccessStatus::ok) {
      fetch_for_write_back_failed(unit, status, now);
    } else {
      go_on_cleaning(unit, now);
    }
  }
  settle_idle(unit, now);
  send_flushes(now);
  release_held(now);
  serve_waiting(now);
  start_write_backs(now);
}

void DataCache::prefetch(Lpn first, Tick now) {
  for (std::uint64_t k = 0; k < parameters_.prefetch_pages; ++k) {
    const Lpn lpn(first.value + k);
    if (lpn.value >= backend_.logical_pages() || !waiting_.empty() || !trims_.empty() || !room()) return;
    if (units_.find(lpn) != nullptr || writes_through_.find(lpn) != nullptr) continue;
    CachedUnit& unit = add(lpn);
    unit.prefetched = true;
    ++counters_.prefetched_units;
    fetch(unit, whole_unit_, nullptr, now);
  }
}

}  // namespace nandscape
