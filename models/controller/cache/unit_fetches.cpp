// SPDX-License-Identifier: Apache-2.0
#include "controller/cache/unit_fetches.h"

namespace nandscape::controller {

void UnitFetches::fetch(CachedUnit& unit, SectorSet sectors, PageAccess* reader, Tick now) {
  CacheOperation& fetch = operations_.acquire(CacheOperation::Purpose::fetch, AccessKind::read, unit.lpn);
  fetch.first_sector = static_cast<std::uint16_t>(sectors.first());
  fetch.sector_count = static_cast<std::uint16_t>(sectors.count());
  fetch.unit = &unit;
  fetch.host = reader;
  if (reader != nullptr) {
    fetch.stream = reader->stream;
    fetch.priority = reader->priority;
    fetch.request = reader->request;
    lend_times(*reader, fetch, now);
  }
  fetch.for_write_back = reader == nullptr && unit.cleaning;
  operations_.give_buffer(fetch);
  unit.fetching = true;
  memory_.hold(unit);
  backend_.submit(fetch, now);
}

Tick UnitFetches::arrived(const CacheOperation& fetch, Tick now) {
  if (fetch.status != AccessStatus::ok) return now;
  const SectorSet sectors = SectorSet::range(fetch.first_sector, fetch.sector_count);
  return memory_.transfer(Dram::Direction::write, *fetch.unit, sectors, now);
}

void UnitFetches::finish(CacheOperation& fetch) {
  CachedUnit& unit = *fetch.unit;
  if (fetch.status == AccessStatus::ok) memory_.fill(unit, fetch);
  operations_.release(fetch);
  unit.fetching = false;
}

void UnitFetches::prefetch(Lpn lpn, Tick now) {
  CachedUnit& unit = memory_.add(lpn);
  unit.prefetched = true;
  ++counters_.prefetched_units;
  fetch(unit, memory_.whole_unit(), nullptr, now);
}

}  // namespace nandscape::controller
