// SPDX-License-Identifier: Apache-2.0
// One flash command on its way through the controller, and whom to tell how it goes. Each asker derives its own type
// and keeps there what it needs; the scheduler, the channels and the ECC engines know this base alone, and call it
// back.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "controller/addresses/ids.h"
#include "controller/flash_ops/page_buffers.h"
#include "controller/flash_ops/queue_kind.h"
#include "core/ticks.h"
#include "protocol/ecc_job.h"
#include "protocol/nand_command.h"
#include "protocol/storage.h"

namespace nandscape::controller {

class OpTimes;

// Mapping units in a page of the flash.
inline constexpr std::uint32_t most_units_per_page = 4;

enum class Placement : std::uint8_t {
  placed,
  wait,      // the plane has no free page for it now
  withdraw,  // and will have none
};

class FlashOp {
 public:
  FlashOp() = default;
  FlashOp(const FlashOp&) = delete;
  FlashOp& operator=(const FlashOp&) = delete;
  virtual ~FlashOp() = default;

  // The command has ended, with its status: a program or an erase may have failed. A reset ends for all that it has
  // aborted.
  virtual void array_done(Tick now) = 0;
  // The ECC engine has decoded or encoded the page.
  virtual void coded(Tick /*now*/) {}

  // Of programs. Gives the op its place when it is about to be sent. A copyback is asked when its page has been read;
  // one without a place is read again later.
  virtual Placement place(Tick /*now*/) { return Placement::placed; }
  // It has left its queue without having been sent.
  virtual void withdrawn(Tick /*now*/) {}
  // The page that it would get, for multi-plane programs.
  virtual std::uint32_t next_page() const { return command.page; }

  // Of reads. The die is the op's alone from now on. It has left its queue; what goes to the die now is enqueued under
  // the lock, the op too.
  virtual void die_locked(Tick /*now*/) {}
  // The first of the reads that a ReadGrouping has put together, and that are about to go to their die as one
  // operation.
  virtual void gathered(std::span<FlashOp* const> /*group*/, Tick /*now*/) {}

  void serve(const PageAccess& access) {
    stream = access.stream;
    priority = access.priority;
    command.request = access.request;
  }
  // Another access needs it, too: it is as urgent as the more urgent of both.
  void serve_also(const PageAccess& access) { priority = std::min(priority, access.priority); }

  NandCommand command;
  EccJob ecc;
  QueueKind queue = QueueKind::host_read;
  bool of_host = false;                            // programs: the host waits for them
  PriorityClass priority = PriorityClass::medium;  // of the access that it serves
  std::uint16_t stream = 0;                        // likewise
  ChannelId channel;
  FlashPlane plane;              // of the flash
  Superblock block;              // reads: of the source; programs: of the destination, once there is one
  Ppa ppa;                       // reads: of the unit; programs: of the page's first unit, once it has a place
  Lpn lpn;                       // reads of one unit
  Tick arrival = 0;              // at the scheduler
  std::uint64_t sequence = 0;    // order of arrival
  std::uint64_t rank = 0;        // of the fronts of several queues of a kind, the lowest goes first
  Tick started = 0;              // noted for policies that keep account
  OpTimes* times = nullptr;      // where its time goes, if somebody wants to know (flash_times.h)
  PageBuffer* buffer = nullptr;  // that its command's data lie in
  FlashOp* next = nullptr;       // in a queue
  // Reads.
  bool locks_die = false;            // the first of those that have the die to themselves until they give it back
  bool may_join = true;              // others of its die in one operation
  bool goes_along = false;           // it waits in no queue: another one takes it along
  bool stays_scrambled = false;      // when it is decoded
  std::uint16_t expected_round = 1;  // at which read of its page it is likely to be decoded
  FlashOp* companion = nullptr;      // goes along in the same operation
  // What stands in the page's spare area: of each unit its logical page and the version of its data.
  std::array<std::uint64_t, 2 * most_units_per_page> tag{};
};

// Linked through the ops: first in, first out, but for those that are put elsewhere. All are of type Op.
template <class Op>
class OpList {
 public:
  bool empty() const { return first_ == nullptr; }
  Op* front() const { return static_cast<Op*>(first_); }
  Op* back() const { return first_ == nullptr ? nullptr : static_cast<Op*>(last_); }

  void push(Op& op) {
    op.next = nullptr;
    (first_ == nullptr ? first_ : last_->next) = &op;
    last_ = &op;
  }

  void push_front(Op& op) { insert_after(nullptr, op); }

  // Puts the op behind `before` (null: at the front).
  void insert_after(FlashOp* before, Op& op) {
    FlashOp*& link = before == nullptr ? first_ : before->next;
    op.next = link;
    if (link == nullptr) last_ = &op;
    link = &op;
  }

  Op& pop() {
    Op& op = *front();
    first_ = op.next;
    return op;
  }

  std::size_t size() const {
    std::size_t count = 0;
    for (const FlashOp* op = first_; op != nullptr; op = op->next) ++count;
    return count;
  }

  // Takes out the op that follows `before` (null: the first).
  void remove_after(FlashOp* before) {
    FlashOp*& link = before == nullptr ? first_ : before->next;
    if (link == last_) last_ = before;
    link = link->next;
  }

 private:
  FlashOp* first_ = nullptr;
  FlashOp* last_ = nullptr;
};

using OpQueue = OpList<FlashOp>;

}  // namespace nandscape::controller
