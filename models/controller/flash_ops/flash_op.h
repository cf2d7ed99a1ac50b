// SPDX-License-Identifier: Apache-2.0
// A flash command within the controller, with the callbacks that report its progress. Each user of ops derives a class
// from FlashOp and stores its own data in it. The scheduler, the channels and the ECC engines know only the base class.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "controller/addresses/ids.h"
#include "controller/flash_ops/page_buffers.h"
#include "core/ticks.h"
#include "protocol/ecc_job.h"
#include "protocol/nand_command.h"
#include "protocol/storage.h"

namespace nandscape::controller {

// The kinds of queues in which ops wait for a die. Background work is work that no host command has requested, for
// example garbage collection.
enum class QueueKind : std::uint8_t { host_read, host_write, background_read, background_write, erase };
inline constexpr std::size_t queue_kinds = 5;

constexpr bool is_background(QueueKind kind) { return kind >= QueueKind::background_read; }

// The position at which an op enters its queue.
enum class QueuePosition : std::uint8_t {
  by_policy,  // for a new op: the scheduling policy chooses the position
  // Before all other ops of its kind. Used for a write whose page is already assigned, because other writes of the
  // plane must wait for it.
  first,
  // Before all reads that arrived later. Used for a read that is sent again. Otherwise new reads that join retries in
  // one operation could delay older reads forever.
  again,
  // In the queue of a locked die. Its ops are reads, features and resets, and are served in the order in which they
  // were enqueued. A read that is enqueued early enough is sent as a cache read after the previous read. A reset ends
  // immediately if there is nothing to abort.
  under_lock,
};

class DieScheduler;
class FlashOp;
class OpTimes;
template <class Op>
class OpList;
using OpQueue = OpList<FlashOp>;

// The maximum number of mapping units in a flash page.
inline constexpr std::uint32_t most_units_per_page = 4;

// The page number that is assigned to a program within its block, the mode in which the block is programmed, and the
// pass. All programs of a multi-plane operation must have the same place.
struct ProgramPlace {
  static constexpr std::uint32_t unknown = ~std::uint32_t{0};

  std::uint32_t page = unknown;
  ProgramMode mode = ProgramMode::native;
  ProgramPass pass = ProgramPass::first;

  bool operator==(const ProgramPlace&) const = default;
};

// The result of the attempt to assign a page to a program.
enum class Placement : std::uint8_t {
  placed,
  wait,      // the plane has no free page now
  withdraw,  // the plane has no free page, and waiting is useless: the op leaves its queue
};

// The members are arranged by cache lines of 64 bytes. `next` shares a line with the page number, because the scheduler
// looks in its queues for reads of the same page. The members that a read needs only until it is enqueued come last.
class alignas(64) FlashOp {
 public:
  FlashOp() = default;
  FlashOp(const FlashOp&) = delete;
  FlashOp& operator=(const FlashOp&) = delete;
  virtual ~FlashOp() = default;

  // Called when the command has ended. `command.status` reports whether a program or an erase has failed. Not called
  // for reads that are aborted by a reset; they end together with the reset.
  virtual void array_done(Tick now) = 0;
  // Called when the ECC engine has decoded or encoded the page.
  virtual void coded(Tick /*now*/) {}

  // For programs only: assigns a page to the op. Called when the op is about to be sent. For a copyback it is called
  // after the source page has been read. If the result is then `wait`, the source page will be read again later.
  virtual Placement place(Tick /*now*/) { return Placement::placed; }
  // Called when the op has left its queue without being sent, because place() returned Placement::withdraw.
  virtual void withdrawn(Tick /*now*/) {}
  // Returns the page that place() would assign now. The scheduler needs it to find programs that fit into one
  // multi-plane operation.
  virtual ProgramPlace next_page() const { return {command.page, command.mode, command.pass}; }

  // For reads only: called when the die has been locked for the op. The op has then left its queue. As long as the die
  // is locked, it receives only ops that are enqueued with QueuePosition::under_lock. The op itself must also be
  // enqueued in this way.
  virtual void die_locked(Tick /*now*/) {}
  // Called for the first read of a group that a ReadGrouping has formed, just before the group is sent as one
  // operation. `group` contains all of its reads.
  virtual void gathered(const OpQueue& /*group*/, Tick /*now*/) {}

  // Copies the stream, the priority and the request number of the access that the op serves.
  void serve(const PageAccess& access) {
    stream = access.stream;
    priority = access.priority;
    command.request = access.request;
  }
  // Called when the op also serves another access. The op takes the more urgent of the two priorities.
  void serve_also(const PageAccess& access) { priority = std::min(priority, access.priority); }

  FlashOp* next = nullptr;  // the next op in the queue or in the operation
  NandCommand command;
  DieScheduler* die = nullptr;  // the scheduler of the op's die; set when the op is enqueued
  ChannelId channel;
  FlashPlane plane;                  // plane of the flash, not of the mapping
  Superblock block;                  // reads: source block; programs: destination block, once it is known
  std::uint16_t stream = 0;          // stream of the access that the op serves
  std::uint16_t expected_round = 1;  // reads: number, counted from 1, of the read whose decoding is expected to succeed
  QueueKind queue = QueueKind::host_read;
  bool of_host = false;                            // programs: the host waits for the program to end
  PriorityClass priority = PriorityClass::medium;  // priority of the host access that the op serves
  // The following members are only used for reads, and `may_join` also for copybacks.
  bool locks_die = false;   // the first read of a sequence during which the die is locked
  bool goes_along = false;  // the read is not queued; it is sent together with another read
  // The read may share an operation with other reads of its die, the copyback with copybacks of other planes.
  bool may_join = true;
  bool stays_scrambled = false;  // the page is not descrambled when it is decoded
  Lpn lpn;                       // the logical address of a read of one unit
  FlashOp* companion = nullptr;  // another read that is sent in the same operation, or null
  // The following members are used for all ops.
  OpTimes* times = nullptr;  // latency parts, or null if not recorded (flash_times.h)
  EccJob ecc;
  PageBuffer* buffer = nullptr;  // buffer for the command's data; null if the simulation stores no data
  Ppa ppa;                       // reads: the unit; programs: the first unit of the page, once it is assigned
  Tick arrival = 0;              // time at which the op arrived at the scheduler
  std::uint64_t sequence = 0;    // number of the op in the order of arrival
  std::uint64_t rank = 0;  // orders ops of one kind that are first in their queues: the lowest rank is served first
  Tick started = 0;        // time at which the op was sent; set only for policies with keeps_account()
  // The tag in the page's spare area. For each unit it contains the logical page number and the version of the data.
  std::array<std::uint64_t, 2 * most_units_per_page> tag{};

 protected:
  // Prepares the op for its next use as a read. Resets only the members that a read does not always set. Each read sets
  // its address, bytes, levels and ECC job, and all reads of one pool request the same tags and error counts.
  void renew_read() {
    command.more_planes = false;
    command.cache = false;
    command.single_operation = false;
    command.subpages = 0;
    ecc.uncorrectable = false;
    ecc.code = ordinary_code;
    times = nullptr;
    locks_die = false;
    goes_along = false;
    companion = nullptr;
  }
};

// A FIFO queue of ops, linked through FlashOp::next, so an op can be in one queue only. Ops may also be inserted at
// other positions. All ops must be of type Op.
template <class Op>
class OpList {
 public:
  bool empty() const { return first_ == nullptr; }
  Op* front() const { return static_cast<Op*>(first_); }
  Op* back() const { return first_ == nullptr ? nullptr : static_cast<Op*>(last_); }

  // The ops, for range-based for loops. The loop must not change the queue.
  struct Iterator {
    using value_type = Op;
    using difference_type = std::ptrdiff_t;

    Op* op = nullptr;
    Op& operator*() const { return *op; }
    Iterator& operator++() {
      op = static_cast<Op*>(op->next);
      return *this;
    }
    Iterator operator++(int) { return std::exchange(*this, Iterator{static_cast<Op*>(op->next)}); }
    friend bool operator==(Iterator, Iterator) = default;
  };
  Iterator begin() const { return {front()}; }
  Iterator end() const { return {}; }

  void push(Op& op) {
    op.next = nullptr;
    (first_ == nullptr ? first_ : last_->next) = &op;
    last_ = &op;
  }

  void push_front(Op& op) { insert_after(nullptr, op); }

  // Inserts the op after `before`, or at the front if `before` is null.
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

  // Removes all ops.
  void clear() { first_ = nullptr; }
  // Removes all ops and returns them in a queue of their own.
  OpList take() { return std::exchange(*this, {}); }

  std::size_t size() const {
    std::size_t count = 0;
    for (const FlashOp* op = first_; op != nullptr; op = op->next) ++count;
    return count;
  }

  // Removes the op that follows `before`, or the first op if `before` is null.
  void remove_after(FlashOp* before) {
    FlashOp*& link = before == nullptr ? first_ : before->next;
    if (link == last_) last_ = before;
    link = link->next;
  }
  // Removes the op, which must be in the queue.
  void remove(const FlashOp& op) {
    FlashOp* before = nullptr;
    for (FlashOp* at = first_; at != &op; at = at->next) before = at;
    remove_after(before);
  }

 private:
  FlashOp* first_ = nullptr;
  FlashOp* last_ = nullptr;
};

}  // namespace nandscape::controller
