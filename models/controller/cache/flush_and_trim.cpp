// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "controller/cache/data_cache.h"

namespace nandscape {

// --- flush
// -------------------------------------------------------------------------------------------------------------

void DataCache::flush(PageAccess& access, Tick now) {
  ++counters_.flushes;
  const AccessStatus failure = std::exchange(unreported_, AccessStatus::ok);
  if (parameters_.backup == CacheBackup::capacitor && parameters_.keeps_writes() && !saving_) {
    access.status = failure;
    return complete(access, now);
  }
  CacheOperation& flush = make_operation(CacheOperation::Purpose::flush, AccessKind::flush, access.lpn);
  flush.host = &access;
  flush.stream = access.stream;
  flush.failure = failure;
  flush.barrier = last_order_;
  flush.pending = dirty_count_ + writing_count_;
  if (flush.pending == 0) return backend_.submit(flush, now);
  flushes_.push(flush);
  start_write_backs(now);
}

void DataCache::count_clean(std::uint64_t order, AccessStatus status) {
  bool reported = status == AccessStatus::ok;
  for (CacheOperation* flush = flushes_.first(); flush != nullptr; flush = flush->next_listed) {
    if (order > flush->barrier) continue;
    --flush->pending;
    if (status == AccessStatus::ok) continue;
    flush->failure = status;
    reported = true;
  }
  if (!reported) unreported_ = status;
}

void DataCache::send_flushes(Tick now) {
  // From the first on each time: whoever hears that a flush is done may send another.
  while (!flushes_.empty() && flushes_.first()->pending == 0) {
    CacheOperation& flush = *flushes_.first();
    flushes_.remove(flush);
    backend_.submit(flush, now);
  }
}

void DataCache::flushed(CacheOperation& flush, Tick now) {
  PageAccess& access = *flush.host;
  access.status = flush.failure != AccessStatus::ok ? flush.failure : flush.status;
  free_operation(flush);
  complete(access, now);
}

// --- trim
// --------------------------------------------------------------------------------------------------------------

// The units stay, out of reach, until the backend has forgotten them: a power cut before that finds what was written.
void DataCache::trim(PageAccess& access, Tick now) {
  CacheOperation& trim = make_operation(CacheOperation::Purpose::trim, AccessKind::trim, access.lpn);
  trim.host = &access;
  trim.stream = access.stream;
  trim.page_count = access.page_count;
  trim.pending = writes_through_.count(trim.lpn, trim.page_count);
  units_.for_each(trim.lpn, trim.page_count, [&](CachedUnit& unit) {
    unit.trimmed = true;
    if (unit.listed == CachedUnit::Listed::dirty) unlist(unit);
    trim.pending += unit.busy();
  });
  trims_.push(trim);
  if (trim.pending == 0) backend_.submit(trim, now);
}

bool DataCache::in_trim(const PageAccess& access) const {
  if (access.kind == AccessKind::flush) return false;
  const std::uint64_t pages = access.kind == AccessKind::trim ? access.page_count : 1;
  for (const CacheOperation* trim = trims_.first(); trim != nullptr; trim = trim->next_listed) {
    const std::uint64_t first = trim->lpn.value, other = access.lpn.value;
    if (other - first < trim->page_count || first - other < pages) return true;
  }
  return false;
}

void DataCache::part_of_trim_ended(Lpn lpn, Tick now) {
  for (CacheOperation* trim = trims_.first(); trim != nullptr; trim = trim->next_listed) {
    if (lpn.value - trim->lpn.value >= trim->page_count) continue;
    if (--trim->pending == 0) backend_.submit(*trim, now);
    return;
  }
}

void DataCache::trimmed(CacheOperation& trim, Tick now) {
  PageAccess& access = *trim.host;
  access.status = trim.status;
  const bool ok = trim.status == AccessStatus::ok;
  units_.for_each(trim.lpn, trim.page_count, [&](CachedUnit& unit) {
    if (ok) return drop(unit, now);
    unit.trimmed = false;
    if (unit.dirty.any()) enqueue_dirty(unit);
  });
  if (ok && !lost_.empty()) {
    std::erase_if(lost_, [&](const auto& item) { return item.first.value - trim.lpn.value < trim.page_count; });
  }
  trims_.remove(trim);
  free_operation(trim);
  for (AccessQueue behind = behind_trims_.take(); !behind.empty();) dispatch(behind.pop(), now);
  send_flushes(now);
  serve_waiting(now);
  start_write_backs(now);
  complete(access, now);
}

void DataCache::drop(CachedUnit& unit, Tick now) {
  if (unit.dirty.any()) {
    --dirty_count_;
    count_clean(unit.order, AccessStatus::ok);
  }
  while (!unit.forced_writes.empty()) answer(unit.forced_writes.pop(), now);
  unlist(unit);
  units_.remove(unit);
}

}  // namespace nandscape
