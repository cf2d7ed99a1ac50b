// SPDX-License-Identifier: Apache-2.0
#include "controller/cache/access_order.h"

#include <iterator>

namespace nandscape::controller {

void PendingFlushes::add(CacheOperation& flush) {
  flush.pending -= pending_;
  pending_ += flush.pending;
  last_barrier_ = flush.barrier;
  flushes_.push(&flush);
}

std::uint64_t PendingFlushes::first_waiting_for(std::uint64_t order) {
  std::uint64_t first = flushes_.next_number() - flushes_.size();
  std::uint64_t end = flushes_.next_number();
  while (first != end) {
    const std::uint64_t middle = first + (end - first) / 2;
    if (flushes_[middle]->barrier < order) {
      first = middle + 1;
    } else {
      end = middle;
    }
  }
  return first;
}

void PendingFlushes::count_clean(std::uint64_t order, AccessStatus status) {
  if (empty() || !wait_for(order)) return;
  const std::uint64_t first = first_waiting_for(order);
  --flushes_[first]->pending;
  --pending_;
  if (status == AccessStatus::ok) [[likely]]
    return;
  for (std::uint64_t k = first; k != flushes_.next_number(); ++k) flushes_[k]->failure = status;
}

void PendingFlushes::send_due(Tick now) {
  // Takes the front flush again in each iteration, because the client may submit another flush from the completion of
  // this one.
  while (!empty() && flushes_.front()->pending == 0) {
    CacheOperation& flush = *flushes_.front();
    flushes_.pop();
    backend_.submit(flush, now);
  }
}

CacheOperation* PendingTrims::find(std::uint64_t first, std::uint64_t end) const {
  auto behind = trims_.lower_bound(end);
  if (behind == trims_.begin()) return nullptr;
  CacheOperation* const trim = std::prev(behind)->second;
  return first < trim->lpn.value + trim->page_count ? trim : nullptr;
}

bool PendingTrims::overlap_with(const PageAccess& access) const {
  return !empty() && find(access.lpn.value, access.lpn.value + pages_of(access)) != nullptr;
}

void PendingTrims::add(CacheOperation& trim, Tick now) {
  trims_[trim.lpn.value] = &trim;
  if (trim.pending == 0) backend_.submit(trim, now);
}

void PendingTrims::part_ended(Lpn lpn, Tick now) {
  CacheOperation* const trim = find(lpn.value, lpn.value + 1);
  if (trim != nullptr && --trim->pending == 0) backend_.submit(*trim, now);
}

bool AccessOrder::admits(PageAccess& access) {
  if (!releasing_.empty() && releasing_.any([&](const PageAccess& earlier) { return overlap(earlier, access); })) {
    releasing_.push(access);
    return false;
  }
  if (comes_too_early(access)) {
    held_.push(access);
    return false;
  }
  return true;
}

bool AccessOrder::comes_too_early(const PageAccess& access) {
  if (access.kind == AccessKind::flush) return false;
  if (trims_.overlap_with(access)) return true;
  if (held_.any([&](const PageAccess& earlier) { return overlap(earlier, access); })) return true;
  return access.kind == AccessKind::trim && writes_wait(access);
}

bool AccessOrder::writes_wait(const PageAccess& range) {
  if (waiting_.holds_part_of(range) || writes_through_.writes_wait(range)) return true;
  bool wait = false;
  memory_.for_each(range.lpn, range.page_count, [&](const CachedUnit& unit) { wait |= unit.waiting.any(is_write); });
  return wait;
}

}  // namespace nandscape::controller
