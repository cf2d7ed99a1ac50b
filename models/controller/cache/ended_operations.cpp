// SPDX-License-Identifier: Apache-2.0
// The second half of DataCache: handles the end of each operation of the backend. It updates the unit, answers the host
// access for which the operation was started, and continues the accesses that have waited for the operation.
#include "controller/cache/data_cache.h"

namespace nandscape::controller {

void DataCache::completed(PageAccess& access, Tick now) {
  auto& operation = static_cast<CacheOperation&>(access);
  if (operation.times != nullptr) [[unlikely]]
    operation.times->enter(LatencyPart::cache, now);
  switch (operation.purpose) {
    case CacheOperation::Purpose::fetch:
      return calendar_.schedule<&DataCache::fetched>(fetches_.arrived(operation, now), *this, operation);
    case CacheOperation::Purpose::read_through: return read_through_ended(operation, now);
    case CacheOperation::Purpose::write_through: return written_through(operation, now);
    case CacheOperation::Purpose::write_back: return written_back(operation, now);
    case CacheOperation::Purpose::flush: return flushed(operation, now);
    case CacheOperation::Purpose::trim: return trimmed(operation, now);
  }
}

void DataCache::fetched(CacheOperation& fetch) {
  const Tick now = calendar_.now();
  CachedUnit& unit = *fetch.unit;
  const AccessStatus status = fetch.status;
  const PageAccess* const reader = fetch.host;
  const bool for_write_back = fetch.for_write_back;
  fetches_.finish(fetch);

  AccessQueue writes;
  for (AccessQueue waiting = unit.waiting.take(); !waiting.empty();) {
    PageAccess& access = waiting.pop();
    if (access.kind == AccessKind::write) {
      writes.push(access);
    } else if (&access == reader && status != AccessStatus::ok) {
      answers_.fail(access, now);
    } else {
      read_unit(unit, access, now);
    }
  }
  order_.hold_first(writes);
  if (unit.cleaning) {
    if (for_write_back && status != AccessStatus::ok) {
      write_back_.fetch_failed(unit, status, now);
    } else {
      write_back_.go_on(unit, now);
    }
  }
  settle_idle(unit, now);
  flushes_.send_due(now);
  release_held(now);
  serve_waiting(now);
  write_back_.start(now);
}

void DataCache::read_through_ended(CacheOperation& through, Tick now) {
  PageAccess& read = *through.host;
  read.status = through.status;
  operations_.release(through);
  answers_.complete(read, now);
}

void DataCache::written_through(CacheOperation& write, Tick now) {
  PageAccess& access = *write.host;
  const Lpn lpn = write.lpn;
  const SectorSet sectors = SectorSet::range(write.first_sector, write.sector_count);
  access.status = write.status;
  if (write.status == AccessStatus::ok) lost_.written(lpn, sectors);
  if (CachedUnit* unit = memory_.find(lpn)) {
    if (write.status == AccessStatus::ok) {
      memory_.copy_in(*unit, write);
      unit->valid = unit->valid | sectors;
      memory_.transfer(Dram::Direction::write, *unit, sectors, now);
    } else {
      unit->valid = unit->valid - sectors;
    }
    memory_.settle(*unit);
  }
  order_.hold_first(write.waiting.take());
  writes_through_.erase(write);
  operations_.release(write);
  if (!trims_.empty()) trims_.part_ended(lpn, now);
  release_held(now);
  serve_waiting(now);
  answers_.complete(access, now);
}

void DataCache::written_back(CacheOperation& write, Tick now) {
  CachedUnit& unit = *write.unit;
  write_back_.finish(write, now);
  settle_idle(unit, now);
  flushes_.send_due(now);
  serve_waiting(now);
  write_back_.start(now);
}

void DataCache::flushed(CacheOperation& flush, Tick now) {
  PageAccess& access = *flush.host;
  access.status = flush.failure != AccessStatus::ok ? flush.failure : flush.status;
  operations_.release(flush);
  answers_.complete(access, now);
}

void DataCache::trimmed(CacheOperation& trim, Tick now) {
  PageAccess& access = *trim.host;
  access.status = trim.status;
  const bool ok = trim.status == AccessStatus::ok;
  memory_.for_each(trim.lpn, trim.page_count, [&](CachedUnit& unit) {
    if (ok) {
      write_back_.drop(unit);
      memory_.remove(unit);
    } else {
      unit.trimmed = false;
      write_back_.take_back(unit);
    }
  });
  if (ok) lost_.trimmed(trim.lpn, trim.page_count);
  trims_.remove(trim);
  operations_.release(trim);
  release_held(now);
  flushes_.send_due(now);
  serve_waiting(now);
  write_back_.start(now);
  answers_.complete(access, now);
}

void DataCache::settle_idle(CachedUnit& unit, Tick now) {
  const Lpn lpn = unit.lpn;
  const bool trim_waits = unit.trimmed && !unit.holds_up_trim();
  memory_.settle(unit);
  if (trim_waits) trims_.part_ended(lpn, now);
}

void DataCache::release_held(Tick now) {
  order_.release([&](PageAccess& access) { admit(access, now); });
}

void DataCache::serve_waiting(Tick now) {
  // A write that must wait for a write-through to its unit stays at the front of this queue. Otherwise a later write to
  // the same unit would not find it in this queue and could overtake it.
  const auto may_go_on = [this] { return write_back_.may_save_another() || write_back_.saves_none(); };
  while (!saving_ && !waiting_.empty() && memory_.room() && may_go_on() &&
         writes_through_.find(waiting_.front().lpn) == nullptr) {
    write(waiting_.pop(), now, true);
  }
  note_waiting(now);
  release_held(now);
}

void DataCache::note_waiting(Tick now) {
  const bool waits = !saving_ && !waiting_.empty();
  const bool no_room = waits && !memory_.room();
  room_.set(no_room, now);
  save_room_.set(waits && !no_room && !write_back_.may_save_another(), now);
}

}  // namespace nandscape::controller
