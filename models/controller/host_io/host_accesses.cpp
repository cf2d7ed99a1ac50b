// SPDX-License-Identifier: Apache-2.0
#include "controller/host_io/host_accesses.h"

#include <algorithm>
#include <utility>

#include "protocol/access_range.h"

namespace nandscape::controller {

void HostAccesses::change(PageAccess& access, Tick now) {
  const bool may_wait = is_trim(access) || !held_.empty() || !trims_.empty();
  if (may_wait && waits_for_earlier(access, held_.size())) {
    held_.push_back(&access);
  } else {
    start(access, now);
  }
}

void HostAccesses::start(PageAccess& access, Tick now) {
  if (end_of_life_.read_only()) {
    access.status = AccessStatus::write_protected;
    host_.complete(access, now);
  } else if (is_trim(access)) {
    trims_.trim(access, now);
  } else if (translation_.at_hand(access, now)) {
    writes_.write(access, now);
  } else {
    untranslated_.push_back(&access);
  }
}

void HostAccesses::translated(PageAccess& access, Tick now) {
  if (access.kind == AccessKind::read) {
    reads_.read(access, now);
    return;
  }
  std::erase(untranslated_, &access);
  const Lpn lpn = access.lpn;
  writes_.write(access, now);
  retry_held(lpn, 1, now);
}

bool HostAccesses::waits_for_earlier(const PageAccess& change, std::size_t held_before) const {
  const auto overlaps = [&](const PageAccess* earlier) { return overlap(*earlier, change); };
  if (std::any_of(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(held_before), overlaps)) return true;
  if (trims_.is_ahead_of(change)) return true;
  return is_trim(change) && (units_.in_flight().find(change.lpn, change.page_count) != nullptr ||
                             std::ranges::any_of(untranslated_, overlaps));
}

// Starting an access may release others and bring new ones, so the search restarts from the first each time.
void HostAccesses::retry_held(Lpn first, std::uint64_t count, Tick now) {
  if (held_.empty()) return;
  const auto changes = [&](const PageAccess* held) {
    return held->lpn.value < first.value + count && first.value < held->lpn.value + pages_of(*held);
  };
  if (!std::ranges::any_of(held_, changes)) return;
  for (std::size_t k = 0; k < held_.size();) {
    PageAccess& held = *held_[k];
    if (waits_for_earlier(held, k)) {
      ++k;
      continue;
    }
    held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(k));
    start(held, now);
    k = 0;
  }
}

// The client may submit the next access to the page when it is notified of the completion. Waiting accesses must go
// before that: the first write is now the one in flight, and the others queue behind it.
void HostAccesses::resume(UnitWrite& ended, PageAccess* completed, Tick now) {
  const Lpn lpn = ended.lpn;
  for (PageAccess* waiting = std::exchange(ended.waiting, nullptr); waiting != nullptr;) {
    PageAccess& next = *std::exchange(waiting, waiting->next);
    next.next = nullptr;
    if (is_write(next)) {
      writes_.write(next, now);
    } else if (is_trim(next)) {
      trims_.go_on(next, now);
    } else {
      reads_.read(next, now);
    }
  }
  if (completed != nullptr) host_.complete(*completed, now);
  retry_held(lpn, 1, now);
}

}  // namespace nandscape::controller
