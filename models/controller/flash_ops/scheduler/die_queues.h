// SPDX-License-Identifier: Apache-2.0
// The ops that wait for a die, in one queue for each kind. Gathers the ops of the next operation.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <vector>

#include "controller/flash_ops/flash_op.h"
#include "controller/flash_ops/scheduler/scheduling_policy.h"

namespace nandscape::controller {

// Decides which reads are sent to their die as one operation.
class ReadGrouping {
 public:
  virtual ~ReadGrouping() = default;

  // Whether the read is grouped. Such a read is sent alone if no other read fits with it.
  [[nodiscard]] virtual bool takes(const FlashOp& read) const = 0;
  // Whether both reads may be part of one operation.
  virtual bool fit(const FlashOp& one, const FlashOp& other) const = 0;
  // Whether an operation locks its die until all of its reads are decoded.
  virtual bool locks_die() const = 0;
  // Puts `first`, which has left the queue, into `group`, and moves the reads that join it from the queue into `group`.
  virtual void gather(FlashOp& first, OpQueue& queue, std::vector<FlashOp*>& group, Tick now) const = 0;
};

// Whether the write must be an operation of its own. This holds for a copyback, which first reads its page, and for an
// adjustment, which works on programmed cells.
bool goes_alone(const FlashOp& write);

class DieQueues {
 public:
  enum class Gathered : std::uint8_t {
    nothing,    // the next op has no place
    operation,  // on one plane or several
    grouped,    // reads grouped by a ReadGrouping
    die_lock,   // a read that locks the die
  };

  // The number of queued reads that are searched for one that may join the first.
  static constexpr int read_search = 32;

  // A policy that keeps account must serve this die only; other policies serve all dies.
  DieQueues(std::uint32_t planes, bool multi_plane, const ReadGrouping* grouping, SchedulingPolicy& policy);

  void push(FlashOp& op, QueuePosition position, Tick now);
  // Puts back a copyback whose page has been read but that has no place: its page is read again later.
  void put_back(FlashOp& copyback);

  // Lets writes that had no place on the plane try again.
  void places_changed(PlaneInDie plane);
  void set_collection_urgent(PlaneInDie plane, bool urgent);

  // The next op under the lock, or null.
  const FlashOp* locked() const { return under_lock_.front(); }
  FlashOp& pop_locked() { return under_lock_.pop(); }
  // Returns the next host read, or null if none waits.
  const FlashOp* host_read() const { return host_reads_.front(order_of_reads_); }
  FlashOp& pop_host_read() { return host_reads_.next(order_of_reads_).pop(); }
  bool groups(const FlashOp& read) const { return grouping_ != nullptr && grouping_->takes(read); }
  // Whether any op could be sent to an unlocked die now.
  bool offers_any() const {
    return !host_reads_.empty() || !background_reads_.empty() || (in_planes_ != 0 && planes_offer_any());
  }
  DieCandidates candidates() const {
    DieCandidates result;
    result.first[static_cast<std::size_t>(QueueKind::host_read)] = host_read();
    result.first[static_cast<std::size_t>(QueueKind::background_read)] = background_reads_.front();
    result.collection_urgent = urgent_planes_ != 0;
    if (in_planes_ != 0) add_writes_and_erases(result);
    return result;
  }

  // Must be called before a decision if the policy separates classes.
  void order_classes(Tick now);
  // Moves the ops of the next operation of that kind from the queues to `group`. At least one such op must be waiting.
  Gathered gather(QueueKind kind, std::vector<FlashOp*>& group, Tick now);

  // Prints the number of waiting ops by kind; prints nothing if none waits.
  void list(std::ostream& out) const;
  // No op may be waiting.
  void persist(Archive& archive);

 private:
  struct WriteQueue {
    explicit WriteQueue(bool separates_classes) : waiting(separates_classes) {}

    FlashOp* first(const ClassOrder& order) const { return blocked ? nullptr : waiting.front(order); }

    ClassQueues waiting;
    bool blocked = false;  // the first write found no place
  };
  struct PlaneQueues {
    explicit PlaneQueues(bool separates_classes) : host_writes(separates_classes), background_writes(false) {}

    WriteQueue host_writes;
    WriteQueue background_writes;
    OpQueue erases;
    bool urgent = false;
  };

  OpQueue& queue_of(const FlashOp& op);
  bool planes_offer_any() const;
  void add_writes_and_erases(DieCandidates& candidates) const;
  // Takes the first op from the queue of a plane.
  FlashOp& take(OpQueue& queue) {
    --in_planes_;
    return queue.pop();
  }
  WriteQueue& writes_of(const FlashOp& write) {
    PlaneQueues& plane = planes_[write.command.plane];
    return write.queue == QueueKind::host_write ? plane.host_writes : plane.background_writes;
  }

  using Writes = WriteQueue PlaneQueues::*;
  // The next host or background write.
  struct NextWrite {
    const FlashOp* write = nullptr;  // null if no waiting write has a place
    PlaneInDie plane{0};
    std::size_t priority = 0;
  };

  NextWrite next_write(Writes writes) const;
  NextWrite next_write(Writes writes, std::size_t priority) const;
  Gathered gather_reads(OpQueue& queue, std::vector<FlashOp*>& group, Tick now);
  // Moves reads of other planes, of the page number of the first in `group`, from the queue to the group.
  void gather_planes(OpQueue& queue, std::vector<FlashOp*>& group);
  Gathered gather_writes(Writes writes, std::vector<FlashOp*>& group, Tick now);
  Gathered gather_erases(std::vector<FlashOp*>& group);

  const bool multi_plane_;
  const bool keeps_account_;
  const ReadGrouping* grouping_;  // null: reads are not grouped
  SchedulingPolicy* policy_;
  ClassOrder order_of_reads_ = by_class;
  ClassOrder order_of_writes_ = by_class;
  ClassQueues host_reads_;
  OpQueue background_reads_;
  IdVector<PlaneInDie, PlaneQueues> planes_;
  std::size_t in_planes_ = 0;        // ops in the queues of all planes
  std::uint32_t urgent_planes_ = 0;  // planes whose collection is urgent
  OpQueue under_lock_;
};

}  // namespace nandscape::controller
