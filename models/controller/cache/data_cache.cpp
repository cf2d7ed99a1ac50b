// SPDX-License-Identifier: Apache-2.0
#include "controller/cache/data_cache.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace nandscape {

namespace {

SectorSet sectors_of(const PageAccess& access) { return SectorSet::range(access.first_sector, access.sector_count); }

std::uint32_t units_of(double percent, std::uint32_t capacity) {
  return static_cast<std::uint32_t>(std::floor(percent / 100 * capacity));
}

const CacheParameters& checked(const CacheParameters& p, std::uint32_t unit_bytes) {
  check(p, unit_bytes);
  return p;
}

}  // namespace

void describe(const CacheCounters& c, StatisticsVisitor& v) {
  v.count("read_hits", c.read_hits, "reads of which all sectors were in DRAM");
  v.count("read_misses", c.read_misses, "reads that needed the flash");
  v.count("write_hits", c.write_hits, "writes to units that were in DRAM");
  v.count("absorbed_sectors", c.absorbed_sectors, "sectors written over before they were written to flash");
  v.count("writes_through", c.writes_through, "writes that went past the cache");
  v.count("write_backs", c.write_backs, "units of which dirty sectors were written to flash");
  v.count("failed_write_backs", c.failed_write_backs, "units of which dirty sectors could not be written");
  v.count("evictions", c.evictions, "units that made room for others");
  v.count("waits", c.waits, "writes that had to wait for room");
  v.count("flushes", c.flushes, "flushes of the host");
  v.count("prefetched_units", c.prefetched_units, "units read ahead");
  v.count("prefetch_hits", c.prefetch_hits, "units read ahead that were then read");
  v.count("dirty_units", c.dirty_units, "units that hold data not yet on flash, at the end");
}

DataCache::DataCache(const CacheParameters& parameters, bool keep_data, StorageDevice& backend, Dram& dram,
                     Calendar& calendar)
    : parameters_(checked(parameters, backend.page_bytes())),
      keep_data_(keep_data),
      backend_(backend),
      dram_(dram),
      calendar_(calendar),
      unit_bytes_(backend.page_bytes()),
      whole_unit_(SectorSet::range(0, unit_bytes_ / sector_bytes)),
      batch_units_(backend.pages_written_together()),
      most_in_flight_(std::max(parameters.writes_in_flight, batch_units_)),
      units_(static_cast<std::uint32_t>(parameters.capacity_bytes / unit_bytes_), keep_data ? unit_bytes_ : 0),
      clean_(parameters.replacement),
      dirty_high_(units_of(parameters.dirty_high_percent, units_.capacity())),
      dirty_low_(units_of(parameters.dirty_low_percent, units_.capacity())),
      buffers_(keep_data ? unit_bytes_ : 0, 0) {
  backend.set_client(*this);
}

void DataCache::persist(Archive& archive) {
  archive.section("data cache");
  archive.map(lost_, logical_pages(), "a logical page that was lost", [&](SectorSet& sectors) {
    archive(sectors);
    archive.require(sectors.any() && whole_unit_.contains(sectors), "sectors that were lost are not those of a page");
  });
  archive.enumeration(failure_, AccessStatus::write_protected, "the status of a write-back");
  archive.require(lost_.empty() || failure_ != AccessStatus::ok, "pages were lost, and no write-back has failed");
}

CacheCounters DataCache::counters() const {
  CacheCounters counters = counters_;
  units_.for_each([&](const CachedUnit& unit) { counters.dirty_units += (unit.dirty | unit.writing).any(); });
  return counters;
}

DeviceHealth DataCache::health() const { return backend_.health(); }

std::vector<DirtyUnit> DataCache::dirty_units() const {
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

void DataCache::submit(PageAccess& access, Tick now) {
  ++accesses_;
  admit_in_order(access, now);
}

void DataCache::admit(PageAccess& access, Tick now) {
  switch (access.kind) {
    case AccessKind::read: return read(access, now);
    case AccessKind::write: return write(access, now, false);
    case AccessKind::trim: return trim(access, now);
    case AccessKind::flush: return flush(access, now);
  }
}

// --- reads
// -------------------------------------------------------------------------------------------------------------

void DataCache::read(PageAccess& access, Tick now) {
  if (CacheOperation* write = writes_through_.find(access.lpn)) return write->waiting.push(access);
  const Lpn lpn = access.lpn;  // the access may be gone before the units behind it are fetched
  const std::uint64_t position = lpn.value * (unit_bytes_ / sector_bytes) + access.first_sector;
  const bool read_ahead = parameters_.prefetch_pages != 0 && parameters_.keeps_reads() &&
                          sequential_.goes_on(position, access.sector_count);

  CachedUnit* unit = units_.find(lpn);
  const bool hit = unit != nullptr && unit->valid.contains(sectors_of(access));
  ++(hit ? counters_.read_hits : counters_.read_misses);
  if (unit == nullptr && parameters_.keeps_reads() && waiting_.empty() && room()) unit = &add(lpn);
  if (unit != nullptr) {
    if (unit->prefetched) {
      unit->prefetched = false;
      ++counters_.prefetch_hits;
    }
    read_unit(*unit, access, now);
    settle(*unit);
  } else if (lost(access)) {
    fail_lost(access, now);
  } else {
    CacheOperation& through = make_operation(CacheOperation::Purpose::read_through, AccessKind::read, lpn);
    through.first_sector = access.first_sector;
    through.sector_count = access.sector_count;
    through.data = access.data;
    through.stream = access.stream;
    through.host = &access;
    backend_.submit(through, now);
  }
  if (read_ahead) prefetch(Lpn(lpn.value + 1), now);
}

void DataCache::read_unit(CachedUnit& unit, PageAccess& access, Tick now) {
  if (lost(access)) return fail_lost(access, now);
  const SectorSet missing = sectors_of(access) - unit.valid;
  if (missing.any()) {
    unit.waiting.push(access);
    if (!unit.fetching) fetch(unit, missing.span(), &access, now);
    return;
  }
  if (unit.listed == CachedUnit::Listed::clean) clean_.use(unit);
  if (keep_data_ && access.data != nullptr) {
    std::memcpy(access.data, unit.data + std::size_t{access.first_sector} * sector_bytes,
                std::size_t{access.sector_count} * sector_bytes);
  }
  answer(access, transfer(Dram::Direction::read, unit, sectors_of(access), now));
}

// --- writes
// ------------------------------------------------------------------------------------------------------------

void DataCache::write(PageAccess& access, Tick now, bool first_in_line) {
  if (backend_.read_only()) {  // it could never be written back
    access.status = AccessStatus::write_protected;
    return answer(access, now);
  }
  if (!first_in_line && waiting_.holds(access.lpn)) {
    ++counters_.waits;
    return waiting_.push(access);
  }
  if (CacheOperation* earlier = writes_through_.find(access.lpn)) return earlier->waiting.push(access);
  CachedUnit* unit = units_.find(access.lpn);
  const bool durable = access.force_unit_access && parameters_.backup == CacheBackup::none;
  if (durable || !parameters_.keeps_writes()) {
    // A unit that holds dirty sectors takes the write in, and is written back at once.
    if (unit == nullptr || (!unit->busy() && !unit->dirty.any())) return write_through(access, now);
    if (!parameters_.keeps_writes()) return unit->waiting.push(access);  // for a fetch: nothing else is under way
  }
  const bool saveable = (unit != nullptr && unit->dirty.any()) || may_save_another();
  if (unit != nullptr && saveable) {
    ++counters_.write_hits;
  } else if (unit == nullptr && saveable && room() && (first_in_line || waiting_.empty())) {
    unit = &add(access.lpn);
  } else {
    ++counters_.waits;
    waiting_.push(access);
    return start_write_backs(now);
  }
  write_unit(*unit, access, now);
}

void DataCache::write_unit(CachedUnit& unit, PageAccess& access, Tick now) {
  const SectorSet sectors = sectors_of(access);
  counters_.absorbed_sectors += (unit.dirty & sectors).count();
  copy_in(unit, access);
  const bool was_dirty = unit.dirty.any();
  unit.valid = unit.valid | sectors;
  unit.dirty = unit.dirty | sectors;
  not_lost(unit.lpn, sectors);
  if (!was_dirty) {
    unit.order = ++last_order_;
    ++dirty_count_;
    if (!unit.cleaning) enqueue_dirty(unit);
  }
  const Tick in_dram = transfer(Dram::Direction::write, unit, sectors, now);
  if (access.force_unit_access && parameters_.backup == CacheBackup::none) {
    unit.forced_writes.push(access);
    force(unit);
  } else {
    answer(access, in_dram);
  }
  start_write_backs(now);
}

void DataCache::write_through(PageAccess& access, Tick now) {
  ++counters_.writes_through;
  CacheOperation& write = make_operation(CacheOperation::Purpose::write_through, AccessKind::write, access.lpn);
  write.first_sector = access.first_sector;
  write.sector_count = access.sector_count;
  write.force_unit_access = access.force_unit_access;
  write.deallocates = access.deallocates;
  write.data = access.data;
  write.stream = access.stream;
  write.host = &access;
  writes_through_.insert(write);
  backend_.submit(write, now);
}

void DataCache::written_through(CacheOperation& write, Tick now) {
  PageAccess& access = *write.host;
  const Lpn lpn = write.lpn;
  const SectorSet sectors = sectors_of(write);
  access.status = write.status;
  if (write.status == AccessStatus::ok) not_lost(lpn, sectors);
  if (CachedUnit* unit = units_.find(lpn)) {
    if (write.status == AccessStatus::ok) {
      copy_in(*unit, write);
      unit->valid = unit->valid | sectors;
      transfer(Dram::Direction::write, *unit, sectors, now);
    } else {
      unit->valid = unit->valid - sectors;
    }
    settle(*unit);
  }
  held_.prepend(write.waiting.take());
  writes_through_.erase(write);
  free_operation(write);
  if (!trims_.empty()) part_of_trim_ended(lpn, now);
  release_held(now);
  serve_waiting(now);
  complete(access, now);
}

void DataCache::serve_waiting(Tick now) {
  // A write that has to wait for one past the cache waits here, where those behind it know of it.
  while (!waiting_.empty() && room() && may_save_another() && writes_through_.find(waiting_.front().lpn) == nullptr) {
    write(waiting_.pop(), now, true);
  }
  release_held(now);
}

void DataCache::answer(PageAccess& access, Tick at) { calendar_.schedule<&DataCache::answer_due>(at, *this, access); }

void DataCache::answer_due(PageAccess& access) { complete(access, calendar_.now()); }

void DataCache::complete(PageAccess& access, Tick now) {
  --accesses_;
  client_->completed(access, now);
}

// --- the backend and the units
// -------------------------------------------------------------------------------------

void DataCache::completed(PageAccess& access, Tick now) {
  auto& operation = static_cast<CacheOperation&>(access);
  switch (operation.purpose) {
    case CacheOperation::Purpose::fetch: return fetch_arrived(operation, now);
    case CacheOperation::Purpose::write_through: return written_through(operation, now);
    case CacheOperation::Purpose::write_back: return written_back(operation, now);
    case CacheOperation::Purpose::flush: return flushed(operation, now);
    case CacheOperation::Purpose::trim: return trimmed(operation, now);
    case CacheOperation::Purpose::read_through: {
      PageAccess& read = *operation.host;
      read.status = operation.status;
      free_operation(operation);
      return complete(read, now);
    }
  }
}

CachedUnit& DataCache::add(Lpn lpn) {
  if (units_.full()) {
    CachedUnit& victim = clean_.victim();
    clean_.remove(victim);
    units_.remove(victim);
    ++counters_.evictions;
  }
  return units_.add(lpn);
}

void DataCache::unlist(CachedUnit& unit) {
  switch (unit.listed) {
    case CachedUnit::Listed::clean: return clean_.remove(unit);
    case CachedUnit::Listed::dirty: forced_ -= unit.forced; return dirty_.remove(unit);
    case CachedUnit::Listed::no: return;
  }
}

void DataCache::settle(CachedUnit& unit) {
  if (unit.dirty.any() || unit.busy()) return;
  if (!unit.valid.any()) {
    unlist(unit);
    units_.remove(unit);
  } else if (unit.listed == CachedUnit::Listed::no) {
    clean_.add(unit);
  }
}

void DataCache::settle_idle(CachedUnit& unit, Tick now) {
  const Lpn lpn = unit.lpn;
  const bool trim_waits = unit.trimmed && !unit.busy();
  settle(unit);
  if (trim_waits) part_of_trim_ended(lpn, now);
}

CacheOperation& DataCache::make_operation(CacheOperation::Purpose purpose, AccessKind kind, Lpn lpn) {
  CacheOperation& operation = operations_.acquire();
  operation.purpose = purpose;
  operation.kind = kind;
  operation.lpn = lpn;
  return operation;
}

void DataCache::give_buffer(CacheOperation& operation) {
  if (!keep_data_) return;
  operation.buffer = &buffers_.acquire();
  operation.data = operation.buffer->data.get();
}

void DataCache::free_operation(CacheOperation& operation) {
  if (operation.buffer != nullptr) buffers_.release(*operation.buffer);
  operations_.release(operation);
}

Tick DataCache::transfer(Dram::Direction direction, const CachedUnit& unit, SectorSet sectors, Tick now) {
  const std::uint64_t address = std::uint64_t{unit.index} * unit_bytes_ + std::uint64_t{sectors.first()} * sector_bytes;
  return dram_.transfer(direction, address, std::uint64_t{sectors.count()} * sector_bytes, now);
}

void DataCache::copy_in(CachedUnit& unit, const PageAccess& access) const {
  if (!keep_data_ || access.data == nullptr) return;
  std::memcpy(unit.data + std::size_t{access.first_sector} * sector_bytes, access.data,
              std::size_t{access.sector_count} * sector_bytes);
}

}  // namespace nandscape
