// SPDX-License-Identifier: Apache-2.0
// What waits for a die, whether it could go now, and which of it becomes the next operation.
#include "controller/flash_ops/scheduler/flash_scheduler.h"

namespace nandscape {

// --- what could go
// -----------------------------------------------------------------------------------------------------

DieCandidates FlashScheduler::candidates(const DieState& die) const {
  DieCandidates result;
  const auto offer = [&](QueueKind kind, const FlashOp* front) {
    const FlashOp*& first = result.first[static_cast<std::size_t>(kind)];
    if (front != nullptr && (first == nullptr || front->rank < first->rank)) first = front;
  };
  offer(QueueKind::host_read, die.host_reads.front());
  // A suspended die takes reads of the host only.
  if (die.suspended != Activity::idle) {
    result.suspended = die.under_way;
    return result;
  }
  offer(QueueKind::background_read, die.background_reads.front());
  for (const PlaneQueues& plane : die.planes) {
    offer(QueueKind::host_write, plane.host_writes.first());
    offer(QueueKind::background_write, plane.background_writes.first());
    offer(QueueKind::erase, plane.erases.front());
    result.collection_urgent |= plane.urgent;
  }
  return result;
}

bool FlashScheduler::wants_suspend(const DieState& die) const {
  if (die.host_reads.empty() || die.suspended != Activity::idle || die.control_in_flight || die.responding)
    return false;
  const bool programming = die.activity == Activity::programming;
  if (!programming && die.activity != Activity::erasing) return false;
  switch (parameters_.suspend) {
    case Suspend::none: return false;
    case Suspend::program:
      if (!programming) return false;
      break;
    case Suspend::erase:
      if (programming) return false;
      break;
    case Suspend::program_erase: break;
  }
  if (parameters_.max_suspends != 0 && die.suspends >= parameters_.max_suspends) return false;
  if (min_run_ != 0 && calendar_.now() < die.running_since + min_run_) return false;
  // The page in the cache register, or on its way there, would be in the way of what the reads move out.
  if (die.cached != 0 || !die.group.empty()) return false;
  return !keeps_account_ || die.policy->may_suspend(*die.host_reads.front(), *die.under_way, calendar_.now());
}

bool FlashScheduler::could_start(const DieState& die) const {
  if (die.control_in_flight) return false;
  if (die.locked) return could_go_on(die);
  if (die.activity != Activity::idle) return wants_suspend(die) || could_cache_program(die);
  if (!die.host_reads.empty() || die.suspended != Activity::idle || !die.background_reads.empty()) return true;
  if (die.copyback != nullptr) return true;
  for (const PlaneQueues& plane : die.planes) {
    if (plane.host_writes.first() != nullptr || plane.background_writes.first() != nullptr || !plane.erases.empty())
      return true;
  }
  return false;
}

bool FlashScheduler::could_go_on(const DieState& die) const {
  const FlashOp* const next = die.under_lock.front();
  if (next == nullptr) return false;
  const bool aborts = next->command.operation == NandOperation::reset && die.activity == Activity::reading;
  return die.activity == Activity::idle || (aborts && !die.responding);
}

bool FlashScheduler::could_cache_read(const DieState& die) const {
  if (die.activity != Activity::reading || die.responding || die.cache_read != nullptr || die.control_in_flight)
    return false;
  if (die.locked) {
    const FlashOp* const next = die.under_lock.front();
    return next != nullptr && next->command.operation == NandOperation::read;
  }
  if (!parameters_.cache_read || die.host_reads.empty()) return false;
  // Subpages wait for others that they can go with, and a session for the die.
  const FlashOp& next = *die.host_reads.front();
  if (next.locks_die || reads_subpage(next)) return false;
  return !keeps_account_ || die.policy->choose(candidates(die), calendar_.now()) == QueueKind::host_read;
}

bool FlashScheduler::could_cache_program(const DieState& die) const {
  if (die.activity != Activity::programming || !die.cacheable_program || die.responding || die.cached != 0 ||
      !die.group.empty() || calendar_.now() < die.cache_free)
    return false;
  const DieCandidates waiting = candidates(die);
  const std::optional<QueueKind> next = die.policy->choose(waiting, calendar_.now());
  if (next == QueueKind::host_write) return true;
  return next == QueueKind::background_write && waiting[*next]->command.operation != NandOperation::copyback_read;
}

// --- what goes
// ---------------------------------------------------------------------------------------------------------

void FlashScheduler::arrange(DieState& die) {
  die.policy->arrange(die.host_reads, QueueKind::host_read);
  for (PlaneQueues& plane : die.planes) die.policy->arrange(plane.host_writes.waiting, QueueKind::host_write);
}

bool FlashScheduler::gather(DieState& die, QueueKind kind, Tick now) {
  switch (kind) {
    case QueueKind::host_read: gather_reads(die, die.host_reads, now); return true;
    case QueueKind::background_read: gather_reads(die, die.background_reads, now); return true;
    case QueueKind::host_write: return gather_writes(die, &PlaneQueues::host_writes, now);
    case QueueKind::background_write: return gather_writes(die, &PlaneQueues::background_writes, now);
    case QueueKind::erase: gather_erases(die); return true;
  }
  return false;
}

void FlashScheduler::gather_reads(DieState& die, OpQueue& queue, Tick now) {
  FlashOp& first = queue.pop();
  if (first.locks_die) {
    die.locked = true;
    ++locked_dies_;
    first.die_locked(now);
    return;
  }
  if (reads_subpage(first)) return gather_subpages(die, first, queue, now);
  die.group.push_back(&first);
  if (!parameters_.multi_plane || die.planes.size() == 1) return;
  FlashOp* before = nullptr;
  int looked_at = 0;
  for (FlashOp* other = queue.front(); other != nullptr && looked_at < read_search; ++looked_at) {
    FlashOp* const next = other->next;
    bool joins = other->command.page == first.command.page && !other->locks_die && !reads_subpage(*other);
    for (const FlashOp* member : die.group) joins = joins && member->plane != other->plane;
    if (joins) {
      queue.remove_after(before);
      die.group.push_back(other);
      if (die.group.size() == die.planes.size()) return;
    } else {
      before = other;
    }
    other = next;
  }
}

bool FlashScheduler::gather_writes(DieState& die, WriteQueue PlaneQueues::*queue, Tick now) {
  WriteQueue* first = nullptr;
  for (PlaneQueues& plane : die.planes) {
    const FlashOp* front = (plane.*queue).first();
    if (front == nullptr) continue;
    if (first == nullptr || front->rank < first->first()->rank) first = &(plane.*queue);
  }
  // A copyback reads by itself; its place is asked for when its page is in the register.
  if (first->first()->command.operation == NandOperation::copyback_read) {
    die.group.push_back(&first->waiting.pop());
    return true;
  }
  const Placement placement = first->first()->place(now);
  if (placement == Placement::wait) {
    first->blocked = true;
    return false;
  }
  FlashOp& write = first->waiting.pop();
  if (placement == Placement::withdraw) {
    write.withdrawn(now);
    return false;
  }
  die.group.push_back(&write);
  if (!parameters_.multi_plane) return true;
  const std::uint32_t page = die.group.front()->command.page;
  for (PlaneQueues& plane : die.planes) {
    WriteQueue& writes = plane.*queue;
    FlashOp* const other = writes.first();
    if (&writes == first || other == nullptr || other->command.operation == NandOperation::copyback_read) continue;
    if (other->next_page() != page) continue;
    if (other->place(now) == Placement::placed) die.group.push_back(&writes.waiting.pop());
  }
  return true;
}

void FlashScheduler::gather_erases(DieState& die) {
  for (PlaneQueues& plane : die.planes) {
    if (plane.erases.empty()) continue;
    die.group.push_back(&plane.erases.pop());
    if (!parameters_.multi_plane) return;
  }
}

}  // namespace nandscape
