// SPDX-License-Identifier: Apache-2.0
#include "controller/flash_ops/scheduler/die_queues.h"

#include <algorithm>
#include <ostream>
#include <utility>

namespace nandscape::controller {

namespace {

// Searches the queue from the front while ranks are below `rank`, and returns the last op with such a rank. Returns
// null if the first op already has another rank or the queue is empty.
FlashOp* last_before(const OpQueue& queue, std::uint64_t rank) {
  FlashOp* before = nullptr;
  for (FlashOp* op = queue.front(); op != nullptr && op->rank < rank; op = op->next) before = op;
  return before;
}

}  // namespace

bool goes_alone(const FlashOp& write) {
  return write.command.operation == NandOperation::copyback_read ||
         write.command.operation == NandOperation::adjust_voltage;
}

bool copies_together(const FlashOp& write) {
  return write.command.operation == NandOperation::copyback_read && write.may_join;
}

DieQueues::DieQueues(std::uint32_t planes, MultiPlane joined, const ReadGrouping* grouping, SchedulingPolicy& policy)
    : multi_plane_(joined != MultiPlane::none),
      joins_reads_(joined == MultiPlane::all && planes > 1),
      keeps_account_(policy.keeps_account()),
      grouping_(grouping),
      host_reads_(policy.separates_classes()),
      planes_(planes, PlaneQueues(policy.separates_classes())),
      policy_(&policy) {}

void DieQueues::put_before(OpQueue& queue, FlashOp& op, QueuePosition position) {
  if (position == QueuePosition::first) {
    queue.push_front(op);
    writes_of(op).blocked = false;
  } else {
    queue.insert_after(last_before(queue, op.rank), op);
  }
  if (keeps_account_) policy_->put_in(op);
}

// Inserts the copyback after the writes of rank 0. These already have pages, and the copyback may be waiting until one
// of these writes has been sent.
void DieQueues::put_back(FlashOp& copyback, bool waits) {
  WriteQueue& writes = writes_of(copyback);
  OpQueue& queue = writes.waiting.of(copyback);
  FlashOp* const before = last_before(queue, 1);
  queue.insert_after(before, copyback);
  count(copyback);
  writes.blocked = waits && before == nullptr;
}

void DieQueues::places_changed(PlaneInDie plane) {
  planes_[plane].host_writes.blocked = planes_[plane].background_writes.blocked = false;
}

bool DieQueues::planes_offer_any() const {
  return std::any_of(planes_.begin(), planes_.end(), [](const PlaneQueues& plane) {
    return plane.host_writes.first(by_class) != nullptr || plane.background_writes.first(by_class) != nullptr ||
           !plane.erases.empty();
  });
}

void DieQueues::set_collection_urgent(PlaneInDie plane, bool urgent) {
  if (std::exchange(planes_[plane].urgent, urgent) == urgent) return;
  urgent ? ++urgent_planes_ : --urgent_planes_;
}

void DieQueues::add_writes_and_erases(DieCandidates& candidates) const {
  const auto offer = [](const FlashOp*& first, const FlashOp* front) {
    if (front != nullptr && (first == nullptr || front->rank < first->rank)) first = front;
  };
  const auto of_kind = [&](QueueKind kind) -> const FlashOp*& {
    return candidates.first[static_cast<std::size_t>(kind)];
  };
  if (waits_in_planes(QueueKind::host_write)) {
    of_kind(QueueKind::host_write) = next_write(&PlaneQueues::host_writes).write;
    for (const PlaneQueues& plane : planes_) {
      if (plane.host_writes.blocked) offer(candidates.without_place, plane.host_writes.waiting.front(order_of_writes_));
    }
  }
  if (waits_in_planes(QueueKind::background_write)) {
    of_kind(QueueKind::background_write) = next_write(&PlaneQueues::background_writes).write;
  }
  if (waits_in_planes(QueueKind::erase)) {
    for (const PlaneQueues& plane : planes_) offer(of_kind(QueueKind::erase), plane.erases.front());
  }
}

const FlashOp* DieQueues::read_of_free_plane(QueueKind kind, const DieMachine& machine) const {
  const bool of_host = kind == QueueKind::host_read;
  if (!of_host && host_read() != nullptr && host_read()->locks_die) return nullptr;
  const std::size_t queues = of_host ? host_reads_.used() : 1;
  for (std::size_t k = 0; k < queues; ++k) {
    for (const FlashOp& read : of_host ? host_reads_[order_of_reads_[k]] : background_reads_) {
      if (read.locks_die) return nullptr;
      if (machine.plane_free(read.command.plane)) return &read;
    }
  }
  return nullptr;
}

FlashOp& DieQueues::take_read(const FlashOp& read) {
  OpQueue& queue = queue_of(read);
  queue.remove(read);
  --reads_of_page(read.command.page);
  return const_cast<FlashOp&>(read);
}

std::uint32_t DieQueues::most_gathered(QueueKind kind, const FlashOp& first) const {
  const auto planes = static_cast<std::uint32_t>(planes_.size());
  if (!is_read(first)) {
    const bool joins = multi_plane_ && (!goes_alone(first) || copies_together(first));
    return joins ? std::min(planes, in_planes_by_kind_[static_cast<std::size_t>(kind)]) : 1;
  }
  if (groups(first)) {
    const std::size_t waiting = kind == QueueKind::host_read ? host_reads_.size() : background_reads_.size();
    return static_cast<std::uint32_t>(std::min<std::size_t>(waiting, std::size_t{subpages_per_page} * planes));
  }
  return joins_reads_ ? std::min(planes, reads_of_page(first.command.page)) : 1;
}

void DieQueues::order_classes(Tick now) {
  ClassHeads reads{};
  ClassHeads writes{};
  for (std::size_t priority = 0; priority < priority_classes; ++priority) {
    reads[priority] = host_reads_[priority].front();
    writes[priority] = next_write(&PlaneQueues::host_writes, priority).write;
  }
  policy_->order_classes(QueueKind::host_read, reads, order_of_reads_, now);
  policy_->order_classes(QueueKind::host_write, writes, order_of_writes_, now);
}

DieQueues::NextWrite DieQueues::next_write(Writes writes) const {
  const ClassOrder& order = writes == &PlaneQueues::host_writes ? order_of_writes_ : by_class;
  const std::size_t classes = (planes_[PlaneInDie(0)].*writes).waiting.used();
  NextWrite next;
  for (std::size_t k = 0; k < classes && next.write == nullptr; ++k) next = next_write(writes, order[k]);
  return next;
}

// Returns the write of this priority that is served next: of the first writes in the queues of all planes, the write
// with the lowest rank.
DieQueues::NextWrite DieQueues::next_write(Writes writes, std::size_t priority) const {
  NextWrite next{.priority = priority};
  for (const PlaneInDie plane : planes_.places()) {
    const WriteQueue& queue = planes_[plane].*writes;
    const FlashOp* const front = queue.blocked ? nullptr : queue.waiting[priority].front();
    if (front == nullptr || (next.write != nullptr && next.write->rank <= front->rank)) continue;
    next.write = front;
    next.plane = plane;
  }
  return next;
}

void DieQueues::gather_group(FlashOp& first, OpQueue& queue, OpQueue& group, Tick now) {
  grouping_->gather(first, queue, group, now);
  const FlashOp* before = &first;
  for (const FlashOp& read : group) {
    const bool has_waited = &read != &first && &read != before->companion;
    if (has_waited) --reads_of_page(read.command.page);
    before = &read;
  }
}

void DieQueues::join_planes(OpQueue& queue, OpQueue& group, std::uint32_t page) {
  const auto joins = [&](const FlashOp& other) {
    if (other.locks_die || groups(other)) return false;
    return std::ranges::none_of(group, [&](const FlashOp& member) { return member.plane == other.plane; });
  };
  FlashOp* before = nullptr;
  int looked_at = 0;
  for (FlashOp* other = queue.front(); other != nullptr && looked_at < read_search; ++looked_at) {
    FlashOp* const next = other->next;
    if (other->command.page == page && joins(*other)) {
      queue.remove_after(before);
      --reads_of_page(page);
      group.push(*other);
      if (group.size() == planes_.size()) break;
    } else {
      before = other;
    }
    other = next;
  }
}

DieQueues::Gathered DieQueues::gather_writes_or_erases(QueueKind kind, OpQueue& group, Tick now) {
  if (kind == QueueKind::erase) return gather_erases(group);
  const bool of_host = kind == QueueKind::host_write;
  return gather_writes(of_host ? &PlaneQueues::host_writes : &PlaneQueues::background_writes, group, now);
}

DieQueues::Gathered DieQueues::gather_writes(Writes writes, OpQueue& group, Tick now) {
  const NextWrite next = next_write(writes);
  WriteQueue& first = planes_[next.plane].*writes;
  OpQueue& waiting = first.waiting[next.priority];
  // A page is assigned to a copyback later, when its source page is in the page register (copyback_programs()).
  if (waiting.front()->command.operation == NandOperation::copyback_read) {
    if (multi_plane_ && copies_together(*waiting.front())) {
      gather_copybacks(*waiting.front(), writes, group);
    } else {
      group.push(take(waiting));
    }
    return Gathered::operation;
  }
  const Placement placement = waiting.front()->place(now);
  if (placement == Placement::wait) {
    first.blocked = true;
    return Gathered::nothing;
  }
  FlashOp& write = take(waiting);
  if (placement == Placement::withdraw) {
    if (keeps_account_) policy_->withdrawn(write);
    write.withdrawn(now);
    return Gathered::nothing;
  }
  group.push(write);
  if (!multi_plane_ || goes_alone(write)) return Gathered::operation;
  const ProgramPlace place{write.command.page, write.command.mode, write.command.pass};
  for (PlaneQueues& plane : planes_) {
    WriteQueue& others = plane.*writes;
    FlashOp* const other = others.first(by_class);
    if (&others == &first || other == nullptr || goes_alone(*other)) continue;
    if (other->next_page() != place) continue;
    if (other->place(now) == Placement::placed) group.push(take(others.waiting.next(by_class)));
  }
  return Gathered::operation;
}

// Gathers the copybacks of several planes that read the same page of their blocks and would be programmed to the same
// page of theirs. Planes on which the two pages are equally far apart will go together once they have come to the same
// page. The planes that are behind therefore go before the others, and `next`, which has waited longest, before the
// rest.
void DieQueues::gather_copybacks(const FlashOp& next, Writes writes, OpQueue& group) {
  const auto distance = [](const FlashOp& copy) { return copy.next_page().page - copy.command.page; };
  const std::uint32_t of_next = distance(next);
  const auto copy_of = [&](const PlaneQueues& plane) -> const FlashOp* {
    const FlashOp* const copy = (plane.*writes).first(by_class);
    return copy != nullptr && copies_together(*copy) && distance(*copy) == of_next ? copy : nullptr;
  };
  std::uint32_t page = next.command.page;
  for (const PlaneQueues& plane : planes_) {
    if (const FlashOp* const copy = copy_of(plane)) page = std::min(page, copy->command.page);
  }
  for (PlaneQueues& plane : planes_) {
    const FlashOp* const copy = copy_of(plane);
    if (copy != nullptr && copy->command.page == page) group.push(take((plane.*writes).waiting.next(by_class)));
  }
}

DieQueues::Gathered DieQueues::gather_erases(OpQueue& group) {
  for (PlaneQueues& plane : planes_) {
    if (plane.erases.empty()) continue;
    group.push(take(plane.erases));
    if (!multi_plane_) break;
  }
  return Gathered::operation;
}

void DieQueues::list(std::ostream& out) const {
  const auto put = [&](const char* what, const auto& queue, bool blocked = false) {
    if (!queue.empty()) out << " " << what << " " << queue.size() << (blocked ? " (no place)" : "") << ",";
  };
  put("host reads", host_reads_);
  put("background reads", background_reads_);
  for (const PlaneQueues& plane : planes_) {
    put("host writes", plane.host_writes.waiting, plane.host_writes.blocked);
    put("background writes", plane.background_writes.waiting, plane.background_writes.blocked);
    put("erases", plane.erases);
  }
  put("under lock", under_lock_);
}

void DieQueues::persist(Archive& archive) {
  urgent_planes_ = 0;
  for (PlaneQueues& plane : planes_) {
    archive(plane.urgent);
    urgent_planes_ += plane.urgent;
  }
}

}  // namespace nandscape::controller
