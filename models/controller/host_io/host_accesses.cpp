// SPDX-License-Identifier: Apache-2.0
#include "controller/host_io/host_accesses.h"

#include <algorithm>
#include <utility>

#include "protocol/access_range.h"

namespace nandscape::controller {

void HostAccesses::submit(PageAccess& access, Tick now) {
  if (drive_.recovery.under_way()) return waiting_.push(access);
  if (drive_.recovery.mapping_is_lost() && access.kind == AccessKind::read) return fail(access, now);
  if (drive_.temperature.due(now) || drive_.care.due(now)) [[unlikely]]
    return work_and_begin(access, now);
  begin(access, now);
}

void HostAccesses::work_and_begin(PageAccess& access, Tick now) {
  if (drive_.temperature.due(now)) drive_.temperature.look(now);
  if (drive_.care.due(now)) drive_.care.look(now);
  begin(access, now);
}

inline void HostAccesses::begin(PageAccess& access, Tick now) {
  if (access.kind != AccessKind::read) return change(access, now);
  if (!drive_.translation.always_at_hand()) return read_translated(access, now);
  drive_.reads.read(access, now);
}

void HostAccesses::read_translated(PageAccess& access, Tick now) {
  if (drive_.translation.at_hand(access, now)) drive_.reads.read(access, now);
}

void HostAccesses::fail(PageAccess& read, Tick now) const {
  fail_read(read);
  drive_.host.complete(read, now);
}

void HostAccesses::recovered(Tick now) {
  for (AccessQueue waiting = waiting_.take(); !waiting.empty();) submit(waiting.pop(), now);
}

void HostAccesses::change(PageAccess& access, Tick now) {
  if (access.kind == AccessKind::flush) return drive_.flushes.flush(access, now);
  const bool may_wait = is_trim(access) || !held_.empty() || !drive_.trims.idle();
  if (may_wait && waits_for_earlier(access, held_.size())) {
    held_.push_back(&access);
  } else {
    start(access, now);
  }
}

void HostAccesses::start(PageAccess& access, Tick now) {
  if (drive_.end_of_life.read_only()) {
    access.status = AccessStatus::write_protected;
    drive_.host.complete(access, now);
  } else if (is_trim(access)) {
    drive_.trims.trim(access, now);
  } else if (drive_.translation.at_hand(access, now)) {
    drive_.writes.write(access, now);
  } else {
    untranslated_.push_back(&access);
  }
}

void HostAccesses::translated(PageAccess& access, Tick now) {
  if (access.kind == AccessKind::read) {
    drive_.reads.read(access, now);
    return;
  }
  std::erase(untranslated_, &access);
  const Lpn lpn = access.lpn;
  drive_.writes.write(access, now);
  retry_held(lpn, 1, now);
}

bool HostAccesses::waits_for_earlier(const PageAccess& change, std::size_t held_before) const {
  const auto overlaps = [&](const PageAccess* earlier) { return overlap(*earlier, change); };
  if (std::any_of(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(held_before), overlaps)) return true;
  if (drive_.trims.is_ahead_of(change)) return true;
  return is_trim(change) && (drive_.units.in_flight().find(change.lpn, change.page_count) != nullptr ||
                             std::ranges::any_of(untranslated_, overlaps));
}

// Starting an access may release other held accesses and add new ones. Therefore the search restarts from the first
// held access each time.
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

// When the host is notified of the completion, it may submit the next access to the unit. The accesses that are already
// waiting for the unit must precede that access, so they are started before the notification. The first waiting write
// is then the write in flight, and the accesses behind it wait for it.
void HostAccesses::resume(UnitWrite& ended, PageAccess* completed, Tick now) {
  const Lpn lpn = ended.lpn;
  for (AccessQueue waiting = ended.waiting.take(); !waiting.empty();) {
    PageAccess& next = waiting.pop();
    if (is_write(next)) {
      drive_.writes.write(next, now);
    } else if (is_trim(next)) {
      drive_.trims.go_on(next, now);
    } else {
      drive_.reads.read(next, now);
    }
  }
  if (completed != nullptr) drive_.host.complete(*completed, now);
  retry_held(lpn, 1, now);
}

// --- end of life

bool HostAccesses::wait_for_programs() const {
  bool open = !drive_.units.in_flight().empty() || !drive_.flushes.idle();
  drive_.undurable.for_each_unit([&](const UnitWrite& unit) { open |= unit.access != nullptr; });
  return open;
}

// Flash operations for these accesses may still be in progress. Their ends are ignored.
void HostAccesses::give_up(Tick now) {
  std::vector<UnitWrite*> units;
  drive_.units.in_flight().for_each([&](UnitWrite& unit) { units.push_back(&unit); });
  std::vector<PageAccess*> failed;
  drive_.undurable.for_each_unit([&](UnitWrite& unit) {
    if (unit.access != nullptr) failed.push_back(std::exchange(unit.access, nullptr));
  });
  for (PageAccess* access : drive_.flushes.give_up()) failed.push_back(access);
  for (PageAccess* access : failed) {
    access->status = AccessStatus::write_fault;
    drive_.host.complete(*access, now);
  }
  for (UnitWrite* unit : units) {
    drive_.units.abandon(*unit);
    if (unit->access != nullptr) unit->access->status = AccessStatus::write_fault;
    drive_.units.end(*unit, unit->access != nullptr, now);
  }
  drive_.writes.give_up_merges();
}

}  // namespace nandscape::controller
