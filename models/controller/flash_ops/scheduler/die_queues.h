// SPDX-License-Identifier: Apache-2.0
// What waits for a die, in a queue of each kind, and which of it goes together as the next operation.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <vector>

#include "controller/flash_ops/flash_op.h"
#include "controller/flash_ops/scheduler/class_queues.h"
#include "controller/flash_ops/scheduler/read_grouping.h"
#include "controller/flash_ops/scheduler/scheduling_policy.h"

namespace nandscape::controller {

// Whether the write is part of no multi-plane operation, and joins no program: a copyback reads by itself, an
// adjustment works on programmed cells.
bool goes_alone(const FlashOp& write);

class DieQueues {
 public:
  enum class Gathered : std::uint8_t {
    nothing,   // what would have been next has no place
    reads,     // pages of several planes
    grouped,   // reads that a ReadGrouping has put together
    die_lock,  // a read that is to have the die to itself
    writes,
    erases,
  };

  // How far into a queue of reads to look for one that may go with the first.
  static constexpr int read_search = 32;

  // The policy serves this die alone, or all of them if it keeps no account.
  DieQueues(std::uint32_t planes, bool multi_plane, const ReadGrouping* grouping, SchedulingPolicy& policy);

  // An op that has come, in the order of the policy.
  void push(FlashOp& op, Tick now);
  // A write that goes before all of its kind.
  void push_first(FlashOp& write);
  // A read that goes once more, before all that came later.
  void push_again(FlashOp& read);
  // A copyback whose page has been read and that has no place: it is read again later.
  void push_again_unplaced(FlashOp& copyback);

  // Writes to the plane that had no place are tried again.
  void places_changed(std::uint32_t plane);
  void set_collection_urgent(std::uint32_t plane, bool urgent) { planes_[plane].urgent = urgent; }

  // Null: none waits.
  const FlashOp* host_read() const { return host_reads_.front(order_of_reads_); }
  FlashOp& pop_host_read() { return host_reads_.next(order_of_reads_).pop(); }
  bool groups(const FlashOp& read) const { return grouping_ != nullptr && grouping_->takes(read); }
  // Whether there is anything that could be sent now.
  bool offers_any() const {
    if (!host_reads_.empty() || !background_reads_.empty()) return true;
    for (const PlaneQueues& plane : planes_) {
      if (plane.host_writes.first(by_class) != nullptr || plane.background_writes.first(by_class) != nullptr ||
          !plane.erases.empty())
        return true;
    }
    return false;
  }
  DieCandidates candidates() const;

  // Before a decision, where the policy separates classes.
  void order_classes(Tick now);
  // Takes the next operation of that kind out of the queues and puts it into `group`. There is one.
  Gathered gather(QueueKind kind, std::vector<FlashOp*>& group, Tick now);

  // Says what waits; nothing when nothing does.
  void list(std::ostream& out) const;
  // While nothing waits.
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

  using Writes = WriteQueue PlaneQueues::*;
  // Where the next write of a sort waits.
  struct NextWrite {
    const FlashOp* write = nullptr;  // null: none waits that has a place
    std::size_t plane = 0;
    std::size_t priority = 0;
  };

  NextWrite next_write(Writes writes) const;
  NextWrite next_write(Writes writes, std::size_t priority) const;
  Gathered gather_reads(OpQueue& queue, std::vector<FlashOp*>& group, Tick now);
  Gathered gather_writes(Writes writes, std::vector<FlashOp*>& group, Tick now);
  Gathered gather_erases(std::vector<FlashOp*>& group);

  const bool multi_plane_;
  const bool keeps_account_;
  const ReadGrouping* grouping_;  // null: each goes by itself
  SchedulingPolicy* policy_;
  ClassOrder order_of_reads_ = by_class;
  ClassOrder order_of_writes_ = by_class;
  ClassQueues host_reads_;
  OpQueue background_reads_;
  std::vector<PlaneQueues> planes_;
};

}  // namespace nandscape::controller
