// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "controller/cache/data_cache.h"

namespace nandscape {

// --- flush
// -------------------------------------------------------------------------------------------------------------

void DataCache::flush(PageAccess& access, Tick now) {
  ++counters_.flushes;
  const AccessStatus failure = lost_.empty() ? AccessStatus::ok : failure_;
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
  if (status != AccessStatus::ok) failure_ = status;
  for (CacheOperation* flush = flushes_.first(); flush != nullptr; flush = flush->next_listed) {
    if (order > flush->barrier) continue;
    --flush->pending;
    if (status != AccessStatus::ok) flush->failure = status;
  }
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

bool DataCache::comes_too_early(const PageAccess& access) {
  if (access.kind == AccessKind::flush) return false;
  for (const CacheOperation* trim = trims_.first(); trim != nullptr; trim = trim->next_listed) {
    if (overlap(*trim, access)) return true;
  }
  if (held_.any([&](const PageAccess& earlier) { return overlap(earlier, access); })) return true;
  return access.kind == AccessKind::trim && writes_wait(access);
}

bool DataCache::writes_wait(const PageAccess& range) {
  if (waiting_.holds_part_of(range) || writes_through_.writes_wait(range)) return true;
  bool wait = false;
  units_.for_each(range.lpn, range.page_count, [&](const CachedUnit& unit) { wait |= unit.waiting.any(is_write); });
  return wait;
}

void DataCache::admit_in_order(PageAccess& access, Tick now) {
  if (!releasing_.empty() && releasing_.any([&](const PageAccess& earlier) { return overlap(earlier, access); })) {
    releasing_.push(access);
  } else if (comes_too_early(access)) {
    held_.push(access);
  } else {
    admit(access, now);
  }
}

// Each is looked at after all that came before it. What one does may let others go, and bring new ones.
void DataCache::release_held(Tick now) {
  if (held_.empty()) return;
  if (!releasing_.empty()) {
    release_again_ = true;
    return;
  }
  do {
    release_again_ = false;
    releasing_ = held_.take();
    while (!releasing_.empty()) {
      PageAccess& access = releasing_.pop();
      comes_too_early(access) ? held_.push(access) : admit(access, now);
    }
  } while (release_again_);
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
  release_held(now);
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
