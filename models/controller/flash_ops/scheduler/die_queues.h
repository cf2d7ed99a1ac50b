// SPDX-License-Identifier: Apache-2.0
// Stores the ops that wait for a die, in separate queues for each kind and, for writes and erases, for each plane.
// Selects the ops that form the next operation of the die.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iosfwd>

#include "controller/flash_ops/flash_op.h"
#include "controller/flash_ops/scheduler/die_machine.h"
#include "controller/flash_ops/scheduler/scheduling_policy.h"

namespace nandscape::controller {

// Decides which reads are sent to their die as one operation.
class ReadGrouping {
 public:
  virtual ~ReadGrouping() = default;

  // Returns whether the read may be grouped. It is sent alone if no other read can join it.
  [[nodiscard]] virtual bool takes(const FlashOp& read) const = 0;
  // Returns whether both reads may be part of the same operation.
  virtual bool fit(const FlashOp& one, const FlashOp& other) const = 0;
  // Returns whether a grouped operation locks its die until all of its reads are decoded.
  virtual bool locks_die() const = 0;
  // Appends `first`, which has already left the queue, to `group`. Then moves all reads that can join `first` from the
  // queue to `group`. Appends the companion of a read directly behind the read.
  virtual void gather(FlashOp& first, OpQueue& queue, OpQueue& group, Tick now) const = 0;
};

// Returns whether the write cannot share a multi-plane operation with programs. This is true for a copyback, because it
// must first read its page, and for a voltage adjustment (`adjust_voltage`), because it changes cells that are already
// programmed.
bool goes_alone(const FlashOp& write);
// Returns whether the write is a copyback that may share its operations with copybacks of other planes.
bool copies_together(const FlashOp& write);

// The commands that are joined to multi-plane operations.
enum class MultiPlane : std::uint8_t { none, programs_and_erases, all };

// The members that each read uses are in the first cache line.
class alignas(64) DieQueues {
 public:
  // The result of gather().
  enum class Gathered : std::uint8_t {
    nothing,    // no op: the next op has no page now, or has been withdrawn
    operation,  // an operation on one or several planes
    grouped,    // reads that a ReadGrouping has grouped
    die_lock,   // a read for which the die must be locked first
  };

  // The number of queued reads that are examined when reads of other planes are sought to join the first read.
  static constexpr int read_search = 32;

  // If the policy stores state about the commands of a die (SchedulingPolicy::keeps_account()), it must be used for
  // this die only. All dies share any other policy.
  DieQueues(std::uint32_t planes, MultiPlane joined, const ReadGrouping* grouping, SchedulingPolicy& policy);

  void push(FlashOp& op, QueuePosition position, Tick now) {
    if (position == QueuePosition::under_lock) return under_lock_.push(op);
    OpQueue& queue = queue_of(op);
    count(op);
    if (position != QueuePosition::by_policy) return put_before(queue, op, position);
    if (keeps_account_) return policy_->insert(queue, op, now);
    queue.push(op);
  }
  // Returns a copyback to its queue, because its source page has been read but it cannot be programmed now. The source
  // page will be read again later. `waits` tells whether there is no free page to program.
  void put_back(FlashOp& copyback, bool waits);

  // Called when the plane may have free pages again. Retries writes for which there was no free page.
  void places_changed(PlaneInDie plane);
  void set_collection_urgent(PlaneInDie plane, bool urgent);

  // The ops that were enqueued under the lock.
  const OpQueue& under_lock() const { return under_lock_; }
  // Returns the next op that was enqueued under the lock, or null if there is none.
  const FlashOp* locked() const { return under_lock_.front(); }
  FlashOp& pop_locked() { return under_lock_.pop(); }
  // Returns the next host read, or null if no host read is waiting.
  const FlashOp* host_read() const { return host_reads_.front(order_of_reads_); }
  FlashOp& pop_host_read() { return take_read(host_reads_.next(order_of_reads_)); }
  // Return whether host reads wait, and whether only they wait. The policy must not separate classes.
  bool only_host_reads() const { return !any_in_planes() && background_reads_.empty() && any_host_read(); }
  bool any_host_read() const { return !host_reads_[0].empty(); }
  bool groups(const FlashOp& read) const { return grouping_ != nullptr && grouping_->takes(read); }
  // Returns whether any op could be sent now if the die is not locked.
  bool offers_any() const {
    return !host_reads_.empty() || !background_reads_.empty() || (any_in_planes() && planes_offer_any());
  }
  // Returns, for each kind, the op that would be served first.
  DieCandidates candidates() const {
    DieCandidates result;
    result.first[static_cast<std::size_t>(QueueKind::host_read)] = host_read();
    result.first[static_cast<std::size_t>(QueueKind::background_read)] = background_reads_.front();
    result.collection_urgent = urgent_planes_ != 0;
    if (any_in_planes()) add_writes_and_erases(result);
    return result;
  }

  // While planes read on their own: returns the next read of this kind, a kind of reads, for a plane that is free. A
  // read that locks the die holds back the reads behind it, because it needs an idle die. Returns null if there is
  // none.
  const FlashOp* read_of_free_plane(QueueKind kind, const DieMachine& machine) const;
  // Removes this read from its queue and returns it.
  FlashOp& take_read(const FlashOp& read);

  // Asks the policy for the order in which priority classes are served. Must be called before each decision if the
  // policy separates classes.
  void order_classes(Tick now);
  // Moves the ops of the next operation of this kind from the queues to `group`. At least one op of this kind must be
  // waiting.
  Gathered gather(QueueKind kind, OpQueue& group, Tick now) {
    if (kind == QueueKind::host_read) return gather_reads(host_reads_.next(order_of_reads_), group, now);
    if (kind == QueueKind::background_read) return gather_reads(background_reads_, group, now);
    return gather_writes_or_erases(kind, group, now);
  }

  // Returns the most ops that gather() could put into an operation of this kind, whose first op is `first`.
  std::uint32_t most_gathered(QueueKind kind, const FlashOp& first) const;

  // Prints the number of waiting ops of each kind. Prints nothing if no op is waiting.
  void list(std::ostream& out) const;
  // Saves or loads which planes need garbage collection urgently. No op may be waiting.
  void persist(Archive& archive);

 private:
  struct WriteQueue {
    explicit WriteQueue(bool separates_classes) : waiting(separates_classes) {}

    FlashOp* first(const ClassOrder& order) const { return blocked ? nullptr : waiting.front(order); }

    ClassQueues waiting;
    bool blocked = false;  // there was no free page for the first write
  };
  struct PlaneQueues {
    explicit PlaneQueues(bool separates_classes) : host_writes(separates_classes), background_writes(false) {}

    WriteQueue host_writes;
    WriteQueue background_writes;
    OpQueue erases;
    bool urgent = false;
  };

  static bool is_read(const FlashOp& op) {
    return op.queue == QueueKind::host_read || op.queue == QueueKind::background_read;
  }
  void count(const FlashOp& op) {
    if (is_read(op)) {
      ++reads_of_page(op.command.page);
      return;
    }
    ++in_planes_;
    ++in_planes_by_kind_[static_cast<std::size_t>(op.queue)];
  }
  bool waits_in_planes(QueueKind kind) const { return in_planes_by_kind_[static_cast<std::size_t>(kind)] != 0; }
  bool any_in_planes() const { return in_planes_ != 0; }
  OpQueue& queue_of(const FlashOp& op) {
    if (op.queue == QueueKind::host_read) return host_reads_.of(op);
    if (op.queue == QueueKind::background_read) return background_reads_;
    return op.queue == QueueKind::erase ? planes_[op.command.plane].erases : writes_of(op).waiting.of(op);
  }
  // Inserts the op before others of its queue (see QueuePosition).
  void put_before(OpQueue& queue, FlashOp& op, QueuePosition position);
  bool planes_offer_any() const;
  void add_writes_and_erases(DieCandidates& candidates) const;
  // Returns the number of waiting reads of this page number, or of page numbers that share its counter.
  std::uint32_t& reads_of_page(std::uint32_t page) { return reads_by_page_[page % reads_by_page_.size()]; }
  std::uint32_t reads_of_page(std::uint32_t page) const { return reads_by_page_[page % reads_by_page_.size()]; }
  // Removes the first read from a queue and returns it.
  FlashOp& take_read(OpQueue& queue) {
    FlashOp& read = queue.pop();
    --reads_of_page(read.command.page);
    return read;
  }
  // Removes the first op from a queue of a plane and returns it.
  FlashOp& take(OpQueue& queue) {
    FlashOp& op = queue.pop();
    --in_planes_;
    --in_planes_by_kind_[static_cast<std::size_t>(op.queue)];
    return op;
  }
  WriteQueue& writes_of(const FlashOp& write) {
    PlaneQueues& plane = planes_[write.command.plane];
    return write.queue == QueueKind::host_write ? plane.host_writes : plane.background_writes;
  }

  using Writes = WriteQueue PlaneQueues::*;
  // The host or background write that is served next.
  struct NextWrite {
    const FlashOp* write = nullptr;  // null if no write is waiting or none can be sent now
    PlaneInDie plane{0};
    std::size_t priority = 0;
  };

  NextWrite next_write(Writes writes) const;
  NextWrite next_write(Writes writes, std::size_t priority) const;
  Gathered gather_reads(OpQueue& queue, OpQueue& group, Tick now) {
    FlashOp& first = take_read(queue);
    if (!first.locks_die && groups(first)) {
      gather_group(first, queue, group, now);
      return Gathered::grouped;
    }
    group.push(first);
    if (first.locks_die) return Gathered::die_lock;
    if (joins_reads_ && reads_of_page(first.command.page) != 0) join_planes(queue, group, first.command.page);
    return Gathered::operation;
  }
  // Moves reads from the queue to `group` that the ReadGrouping groups with `first`.
  void gather_group(FlashOp& first, OpQueue& queue, OpQueue& group, Tick now);
  // Moves reads from the queue to `group` that can form a multi-plane read with the first read in `group`. They must be
  // of other planes and have the same page number `page`.
  [[gnu::noinline]] void join_planes(OpQueue& queue, OpQueue& group, std::uint32_t page);
  Gathered gather_writes_or_erases(QueueKind kind, OpQueue& group, Tick now);
  Gathered gather_writes(Writes writes, OpQueue& group, Tick now);
  void gather_copybacks(const FlashOp& next, Writes writes, OpQueue& group);
  Gathered gather_erases(OpQueue& group);

  const bool multi_plane_;
  const bool joins_reads_;  // reads of several planes may be sent as one operation
  const bool keeps_account_;
  ClassOrder order_of_reads_ = by_class;
  const ReadGrouping* grouping_;  // null if reads are not grouped
  OpQueue background_reads_;
  std::uint32_t in_planes_ = 0;      // number of writes and erases that wait on all planes
  std::uint32_t urgent_planes_ = 0;  // number of planes on which garbage collection is urgent
  ClassQueues host_reads_;
  OpQueue under_lock_;
  IdVector<PlaneInDie, PlaneQueues> planes_;
  std::array<std::uint32_t, queue_kinds> in_planes_by_kind_{};
  // Counts the waiting reads by the lowest bits of their page numbers. If only one read of such pages waits, no other
  // read can join it, so that the queue need not be searched.
  std::array<std::uint32_t, 32> reads_by_page_{};
  ClassOrder order_of_writes_ = by_class;
  SchedulingPolicy* policy_;
};

}  // namespace nandscape::controller
