// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <utility>

#include "controller/cache/data_cache.h"

namespace nandscape {

void DataCache::start_write_backs(Tick now) {
  while (cleaning_ + std::min(batch_units_, dirty_.size()) <= most_in_flight_ && !dirty_.empty() &&
         write_back_wanted()) {
    start_batch(now);
  }
}

// The units that have waited for longest, each with those round it that belong to one page of addresses: these are
// likely to be read together.
void DataCache::start_batch(Tick now) {
  WriteBackBatch& batch = batches_.acquire();
  joining_.clear();
  while (joining_.size() < batch_units_ && !dirty_.empty()) {
    CachedUnit& oldest = dirty_.front();
    join(batch, oldest);
    const std::uint64_t first = oldest.lpn.value - oldest.lpn.value % batch_units_;
    for (std::uint64_t lpn = first; lpn < first + batch_units_ && joining_.size() < batch_units_; ++lpn) {
      if (lpn == oldest.lpn.value) continue;
      CachedUnit* const neighbour = units_.find(Lpn(lpn));
      if (neighbour != nullptr && neighbour->listed == CachedUnit::Listed::dirty) join(batch, *neighbour);
    }
  }
  // A fetch calls back with an event of its own: the batch stays as it is until all have begun.
  batch.preparing = static_cast<std::uint32_t>(joining_.size());
  for (CachedUnit* unit : joining_) go_on_cleaning(*unit, now);
}

void DataCache::join(WriteBackBatch& batch, CachedUnit& unit) {
  unlist(unit);
  unit.cleaning = true;
  unit.batch = &batch;
  ++cleaning_;
  joining_.push_back(&unit);
}

void DataCache::prepared(WriteBackBatch& batch, CacheOperation* write, Tick now) {
  if (write != nullptr) batch.ready.push(*write);
  if (--batch.preparing != 0) return;
  AccessQueue ready = batch.ready.take();
  batches_.release(batch);
  while (!ready.empty()) backend_.submit(ready.pop(), now);
}

bool DataCache::write_back_wanted() {
  if (dirty_.size() > dirty_high_) {
    draining_ = true;
  } else if (dirty_.size() <= dirty_low_) {
    draining_ = false;
  }
  return draining_ || forced_ != 0 || !waiting_.empty() || !flushes_.empty();
}

void DataCache::enqueue_dirty(CachedUnit& unit) {
  unlist(unit);
  // Nothing goes before units that others wait for, unless a flush waits for it as well: units written again and again
  // would keep them waiting for ever.
  bool first = unit.forced && waiting_.empty();
  if (!flushes_.empty()) first = flushes_.last()->barrier >= unit.order;
  if (first) {
    dirty_.push_front(unit);
  } else {
    dirty_.push_back(unit);
  }
  forced_ += unit.forced;
}

void DataCache::force(CachedUnit& unit) {
  const bool queued = unit.listed == CachedUnit::Listed::dirty;
  if (queued) unlist(unit);
  unit.forced = true;
  if (queued) enqueue_dirty(unit);
}

void DataCache::go_on_cleaning(CachedUnit& unit, Tick now) {
  if (unit.fetching || unit.writing.any()) return;  // goes on when that is done
  // A whole unit spares the backend reading the rest of it, for which others of its batch would not wait.
  const SectorSet sectors = unit.valid == whole_unit_ || batch_units_ > 1 ? whole_unit_ : unit.dirty.span();
  if (!unit.valid.contains(sectors)) return fetch(unit, whole_unit_, nullptr, now);

  CacheOperation& write = make_operation(CacheOperation::Purpose::write_back, AccessKind::write, unit.lpn);
  write.first_sector = static_cast<std::uint16_t>(sectors.first());
  write.sector_count = static_cast<std::uint16_t>(sectors.count());
  write.force_unit_access = !unit.forced_writes.empty();
  write.waiting = unit.forced_writes.take();
  write.gathered = true;
  write.unit = &unit;
  give_buffer(write);
  if (keep_data_) {
    std::memcpy(write.data, unit.data + std::size_t{write.first_sector} * sector_bytes,
                std::size_t{write.sector_count} * sector_bytes);
  }
  unit.writing = std::exchange(unit.dirty, SectorSet());
  unit.writing_order = unit.order;
  unit.forced = false;
  --dirty_count_;
  ++writing_count_;
  ++counters_.write_backs;
  const Tick read = transfer(Dram::Direction::read, unit, sectors, now);
  calendar_.schedule<&DataCache::send_write_back>(read, *this, write);
}

void DataCache::send_write_back(CacheOperation& write) {
  prepared(*std::exchange(write.unit->batch, nullptr), &write, calendar_.now());
}

void DataCache::written_back(CacheOperation& write, Tick now) {
  CachedUnit& unit = *write.unit;
  const AccessStatus status = write.status;
  const SectorSet written = std::exchange(unit.writing, SectorSet());
  unit.cleaning = false;
  --cleaning_;
  --writing_count_;
  if (status != AccessStatus::ok) lose(unit, written - unit.dirty);
  while (!write.waiting.empty()) {
    PageAccess& forced = write.waiting.pop();
    forced.status = status;
    answer(forced, now);
  }
  free_operation(write);
  count_clean(unit.writing_order, status);
  if (unit.dirty.any() && !unit.trimmed) enqueue_dirty(unit);
  settle_idle(unit, now);
  send_flushes(now);
  serve_waiting(now);
  start_write_backs(now);
}

void DataCache::fetch_for_write_back_failed(CachedUnit& unit, AccessStatus status, Tick now) {
  unit.cleaning = false;
  --cleaning_;
  --dirty_count_;
  unit.forced = false;
  lose(unit, std::exchange(unit.dirty, SectorSet()));
  for (AccessQueue forced = unit.forced_writes.take(); !forced.empty();) {
    PageAccess& write = forced.pop();
    write.status = status;
    answer(write, now);
  }
  count_clean(unit.order, status);
  prepared(*std::exchange(unit.batch, nullptr), nullptr, now);
}

void DataCache::lose(CachedUnit& unit, SectorSet sectors) {
  ++counters_.failed_write_backs;
  if (!sectors.any()) return;
  unit.valid = unit.valid - sectors;
  SectorSet& all = lost_[unit.lpn];
  all = all | sectors;
}

bool DataCache::lost(const PageAccess& access) const {
  if (lost_.empty()) return false;
  const auto found = lost_.find(access.lpn);
  return found != lost_.end() && (found->second & SectorSet::range(access.first_sector, access.sector_count)).any();
}

void DataCache::fail_lost(PageAccess& access, Tick now) {
  fail_read(access);
  answer(access, now);
}

void DataCache::not_lost(Lpn lpn, SectorSet sectors) {
  if (lost_.empty()) return;
  const auto found = lost_.find(lpn);
  if (found == lost_.end()) return;
  found->second = found->second - sectors;
  if (!found->second.any()) lost_.erase(found);
}

}  // namespace nandscape
