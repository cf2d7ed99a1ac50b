// SPDX-License-Identifier: Apache-2.0
// The first half of DataCache: handles each host access from its submission until the access is answered or waits for
// an operation of the backend. ended_operations.cpp contains the second half.
#include "controller/cache/data_cache.h"

namespace nandscape::controller {

namespace {

SectorSet sectors_of(const PageAccess& access) { return SectorSet::range(access.first_sector, access.sector_count); }

const CacheParameters& checked(const CacheParameters& p, std::uint32_t unit_bytes) {
  check(p, unit_bytes);
  return p;
}

}  // namespace

void describe(const CacheCounters& c, StatisticsVisitor& v) {
  v.count("read_hits", c.read_hits, "reads whose sectors were all in DRAM");
  v.count("read_misses", c.read_misses, "reads that needed the flash");
  v.count("write_hits", c.write_hits, "writes to units that were in DRAM");
  v.count("absorbed_sectors", c.absorbed_sectors, "dirty sectors overwritten before they were written to flash");
  v.count("writes_through", c.writes_through, "writes that bypassed the cache");
  v.count("write_backs", c.write_backs, "units whose dirty sectors were written to flash");
  v.count("failed_write_backs", c.failed_write_backs, "units whose dirty sectors could not be written");
  v.count("evictions", c.evictions, "clean units evicted to make room for others");
  v.count("waits", c.waits, "writes that had to wait for room");
  v.count("flushes", c.flushes, "flushes by the host");
  v.count("prefetched_units", c.prefetched_units, "units read ahead");
  v.count("prefetch_hits", c.prefetch_hits, "units read ahead that the host then read");
  v.level("dirty_units", c.dirty_units, "units that hold data not yet on flash, at the end of the window");
}

DataCache::DataCache(const CacheParameters& parameters, bool keep_data, StorageDevice& backend, Dram& dram,
                     Calendar& calendar, bool lasts)
    : parameters_(checked(parameters, backend.page_bytes())),
      backend_(backend),
      calendar_(calendar),
      unit_bytes_(backend.page_bytes()),
      lasts_(lasts && backed_up()),
      answers_(calendar),
      operations_(keep_data ? unit_bytes_ : 0),
      memory_(parameters_, unit_bytes_, keep_data, dram),
      fetches_(memory_, operations_, backend),
      flushes_(backend),
      trims_(backend),
      order_(memory_, waiting_, writes_through_, trims_),
      write_back_(parameters_, lasts_, memory_, operations_, fetches_, lost_, flushes_, waiting_, answers_, backend,
                  calendar) {
  backend.set_client(*this);
}

void DataCache::persist_counters(Archive& archive) {
  archive(counters_, room_, save_room_);
  memory_.persist_counters(archive);
  fetches_.persist_counters(archive);
  write_back_.persist_counters(archive);
}

void DataCache::persist(Archive& archive) {
  archive.section("data cache");
  lost_.persist(archive, logical_pages(), memory_.whole_unit());
}

CacheCounters DataCache::counters() const {
  return {counters_, write_back_.counters(), fetches_.counters(), memory_.evictions(), memory_.count_dirty()};
}

void DataCache::submit(PageAccess& access, Tick now) {
  answers_.expect();
  if (access.times != nullptr) [[unlikely]]
    access.times->enter(LatencyPart::cache, now);
  if (order_.admits(access)) admit(access, now);
}

void DataCache::admit(PageAccess& access, Tick now) {
  switch (access.kind) {
    case AccessKind::read: return read(access, now);
    case AccessKind::write: return write(access, now, false);
    case AccessKind::trim: return trim(access, now);
    case AccessKind::flush: return flush(access, now);
  }
}

void DataCache::read(PageAccess& access, Tick now) {
  if (CacheOperation* write = writes_through_.find(access.lpn)) return write->waiting.push(access);
  const Lpn lpn = access.lpn;  // copied, because the access may no longer exist when read_ahead() is called
  const std::uint64_t position = lpn.value * (unit_bytes_ / sector_bytes) + access.first_sector;
  const bool ahead =
      parameters_.prefetch_pages != 0 && parameters_.keeps_reads() && fetches_.goes_on(position, access.sector_count);

  CachedUnit* unit = memory_.find(lpn);
  const bool hit = unit != nullptr && unit->valid.contains(sectors_of(access));
  ++(hit ? counters_.read_hits : counters_.read_misses);
  if (unit == nullptr && parameters_.keeps_reads() && waiting_.empty() && memory_.room()) unit = &memory_.add(lpn);
  if (unit != nullptr) {
    fetches_.count_hit(*unit);
    read_unit(*unit, access, now);
    memory_.settle(*unit);
  } else if (lost_.holds(access)) {
    answers_.fail(access, now);
  } else {
    read_through(access, now);
  }
  if (ahead) read_ahead(Lpn(lpn.value + 1), now);
}

void DataCache::read_unit(CachedUnit& unit, PageAccess& access, Tick now) {
  if (lost_.holds(access)) return answers_.fail(access, now);
  const SectorSet missing = sectors_of(access) - unit.valid;
  if (missing.any()) {
    unit.waiting.push(access);
    if (!unit.fetching) fetches_.fetch(unit, missing.span(), &access, now);
    return;
  }
  memory_.use(unit);
  memory_.copy_out(unit, access);
  answers_.answer(access, memory_.transfer(Dram::Direction::read, unit, sectors_of(access), now));
}

void DataCache::read_through(PageAccess& access, Tick now) {
  CacheOperation& through = operations_.acquire(CacheOperation::Purpose::read_through, AccessKind::read, access.lpn);
  through.first_sector = access.first_sector;
  through.sector_count = access.sector_count;
  through.data = access.data;
  through.stream = access.stream;
  through.priority = access.priority;
  through.request = access.request;
  through.host = &access;
  lend_times(access, through, now);
  backend_.submit(through, now);
}

void DataCache::read_ahead(Lpn first, Tick now) {
  for (std::uint64_t k = 0; k < parameters_.prefetch_pages; ++k) {
    const Lpn lpn(first.value + k);
    if (lpn.value >= backend_.logical_pages() || !waiting_.empty() || !trims_.empty() || !memory_.room()) return;
    if (memory_.find(lpn) != nullptr || writes_through_.find(lpn) != nullptr) continue;
    fetches_.prefetch(lpn, now);
  }
}

void DataCache::write(PageAccess& access, Tick now, bool first_in_line) {
  if (backend_.read_only()) {  // since the backend would refuse the write-back
    access.status = AccessStatus::write_protected;
    return answers_.answer(access, now);
  }
  if (saving_) return waiting_.push(access);
  if (!first_in_line && waiting_.holds(access.lpn)) {
    ++counters_.waits;
    return waiting_.push(access);
  }
  if (CacheOperation* earlier = writes_through_.find(access.lpn)) return earlier->waiting.push(access);
  CachedUnit* unit = memory_.find(access.lpn);
  const bool passes = !parameters_.keeps_writes() || write_back_.saves_none();
  if (passes || (access.force_unit_access && !lasts_)) {
    // A unit with dirty sectors always accepts the write into the cache; the unit is then written back at once.
    if (unit == nullptr || (!unit->busy() && !unit->dirty.any())) return write_through(access, now);
    if (passes) return unit->waiting.push(access);  // only a fetch can be under way here, so the write waits for it
  }
  const bool saveable = (unit != nullptr && unit->dirty.any()) || write_back_.may_save_another();
  if (unit != nullptr && saveable) {
    ++counters_.write_hits;
  } else if (unit == nullptr && saveable && memory_.room() && (first_in_line || waiting_.empty())) {
    unit = &memory_.add(access.lpn);
  } else {
    ++counters_.waits;
    waiting_.push(access);
    note_waiting(now);
    return write_back_.start(now);
  }
  write_unit(*unit, access, now);
}

void DataCache::write_unit(CachedUnit& unit, PageAccess& access, Tick now) {
  const SectorSet sectors = sectors_of(access);
  counters_.absorbed_sectors += (unit.dirty & sectors).count();
  memory_.copy_in(unit, access);
  const bool was_dirty = unit.dirty.any();
  unit.valid = unit.valid | sectors;
  unit.dirty = unit.dirty | sectors;
  lost_.written(unit.lpn, sectors);
  if (!was_dirty) write_back_.add(unit);
  const Tick in_dram = memory_.transfer(Dram::Direction::write, unit, sectors, now);
  if (access.force_unit_access && !lasts_) {
    unit.forced_writes.push(access);
    write_back_.force(unit);
  } else {
    unit.answered = unit.answered | sectors;
    answers_.answer(access, in_dram);
  }
  write_back_.start(now);
}

void DataCache::write_through(PageAccess& access, Tick now) {
  ++counters_.writes_through;
  CacheOperation& write = operations_.acquire(CacheOperation::Purpose::write_through, AccessKind::write, access.lpn);
  write.first_sector = access.first_sector;
  write.sector_count = access.sector_count;
  write.force_unit_access = access.force_unit_access;
  write.deallocates = access.deallocates;
  write.data = access.data;
  write.stream = access.stream;
  write.priority = access.priority;
  write.request = access.request;
  write.host = &access;
  lend_times(access, write, now);
  writes_through_.insert(write);
  backend_.submit(write, now);
}

void DataCache::flush(PageAccess& access, Tick now) {
  ++counters_.flushes;
  if (lasts_ && !saving_) {
    access.status = lost_.failure();
    return answers_.complete(access, now);
  }
  CacheOperation& flush = operations_.acquire(CacheOperation::Purpose::flush, AccessKind::flush, access.lpn);
  flush.host = &access;
  flush.stream = access.stream;
  flush.priority = access.priority;
  flush.failure = lost_.failure();
  flush.barrier = write_back_.last_order();
  flush.pending = write_back_.unsaved();
  if (flush.pending == 0) return backend_.submit(flush, now);
  flushes_.add(flush);
  write_back_.start(now);
}

// The trimmed units stay in memory until the backend has trimmed them, although accesses to them wait. If power fails
// before that, the drive still saves their data.
void DataCache::trim(PageAccess& access, Tick now) {
  CacheOperation& trim = operations_.acquire(CacheOperation::Purpose::trim, AccessKind::trim, access.lpn);
  trim.host = &access;
  trim.stream = access.stream;
  trim.priority = access.priority;
  trim.page_count = access.page_count;
  trim.pending = writes_through_.count(trim.lpn, trim.page_count);
  memory_.for_each(trim.lpn, trim.page_count, [&](CachedUnit& unit) {
    unit.trimmed = true;
    if (unit.forced_writes.empty()) write_back_.set_aside(unit);
    trim.pending += unit.holds_up_trim();
  });
  trims_.add(trim, now);
}

}  // namespace nandscape::controller
