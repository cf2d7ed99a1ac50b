// SPDX-License-Identifier: Apache-2.0
// A flash command within the controller, and its callbacks. Each user derives its own type and keeps its data there.
// The scheduler, the channels and the ECC engines know only this base class.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "controller/addresses/ids.h"
#include "controller/flash_ops/page_buffers.h"
#include "core/ticks.h"
#include "protocol/ecc_job.h"
#include "protocol/nand_command.h"
#include "protocol/storage.h"

namespace nandscape::controller {

// The kinds of queues for a die's commands, and the positions at which an op may enter a queue. Background work is all
// work that the drive does on its own.
enum class QueueKind : std::uint8_t { host_read, host_write, background_read, background_write, erase };
inline constexpr std::size_t queue_kinds = 5;

constexpr bool is_background(QueueKind kind) { return kind >= QueueKind::background_read; }

enum class QueuePosition : std::uint8_t {
  by_policy,  // a new op goes where the policy puts it
  // A write that already has its place, and that other writes of its plane wait for, goes before all of its kind.
  first,
  // A read that is sent again goes before all reads that arrived later. Otherwise new reads that join retries could
  // delay older reads for ever.
  again,
  // Reads, features and resets for a locked die are served in the order in which they were enqueued. A read that comes
  // early enough is sent as a cache read behind the one before it. A reset ends at once if it finds nothing to abort.
  under_lock,
};

class OpTimes;

// The largest number of mapping units in a flash page.
inline constexpr std::uint32_t most_units_per_page = 4;

// The page that a program gets within its block, and the mode in which that block is programmed. Programs that form one
// multi-plane operation have the same page and mode.
struct ProgramPlace {
  static constexpr std::uint32_t unknown = ~std::uint32_t{0};

  std::uint32_t page = unknown;
  ProgramMode mode = ProgramMode::native;

  bool operator==(const ProgramPlace&) const = default;
};

enum class Placement : std::uint8_t {
  placed,
  wait,      // the plane has no free page now
  withdraw,  // the plane has no free page and will have none
};

class FlashOp {
 public:
  FlashOp() = default;
  FlashOp(const FlashOp&) = delete;
  FlashOp& operator=(const FlashOp&) = delete;
  virtual ~FlashOp() = default;

  // Called when the command has ended; its status tells whether a program or an erase has failed. Not called for reads
  // that a reset aborts: they end with the reset.
  virtual void array_done(Tick now) = 0;
  // Called when the ECC engine has decoded or encoded the page.
  virtual void coded(Tick /*now*/) {}

  // Programs only: assigns the op's place when it is about to be sent. For a copyback this is called once its page has
  // been read; if there is no place, the page is read again later.
  virtual Placement place(Tick /*now*/) { return Placement::placed; }
  // Called when the op has left its queue without being sent.
  virtual void withdrawn(Tick /*now*/) {}
  // The page that place() would assign, for multi-plane programs.
  virtual ProgramPlace next_page() const { return {command.page, command.mode}; }

  // Reads only: called when the die is locked for the op, which has left its queue. From then on, only ops enqueued
  // under the lock are sent to the die; the op itself must be enqueued there too.
  virtual void die_locked(Tick /*now*/) {}
  // Called on the first read of a group that a ReadGrouping has formed, just before the group is sent as one operation.
  virtual void gathered(std::span<FlashOp* const> /*group*/, Tick /*now*/) {}

  void serve(const PageAccess& access) {
    stream = access.stream;
    priority = access.priority;
    command.request = access.request;
  }
  // Called when another access needs the op, too. The op takes the more urgent priority.
  void serve_also(const PageAccess& access) { priority = std::min(priority, access.priority); }

  NandCommand command;
  EccJob ecc;
  QueueKind queue = QueueKind::host_read;
  bool of_host = false;                            // programs: the host waits for them
  PriorityClass priority = PriorityClass::medium;  // priority of the access that the op serves
  std::uint16_t stream = 0;                        // stream of the access that the op serves
  ChannelId channel;
  FlashPlane plane;              // plane of the flash, not of the mapping
  Superblock block;              // reads: the source; programs: the destination, once known
  Ppa ppa;                       // reads: the unit; programs: the page's first unit, once placed
  Lpn lpn;                       // reads of one unit
  Tick arrival = 0;              // at the scheduler
  std::uint64_t sequence = 0;    // order of arrival
  std::uint64_t rank = 0;        // among the first ops of a kind's queues, the lowest rank goes first
  Tick started = 0;              // set for policies that keep account
  OpTimes* times = nullptr;      // latency parts, or null if not recorded (flash_times.h)
  PageBuffer* buffer = nullptr;  // holds the command's data
  FlashOp* next = nullptr;       // in its queue
  // Reads.
  bool locks_die = false;            // the first read of a sequence that locks the die
  bool may_join = true;              // may share an operation with other reads of its die
  bool goes_along = false;           // not queued itself: sent along with another read
  bool stays_scrambled = false;      // not descrambled when decoded
  std::uint16_t expected_round = 1;  // number of the read, counted from 1, that is expected to decode
  FlashOp* companion = nullptr;      // read sent in the same operation
  // The tag in the page's spare area: for each unit its logical page and the version of its data.
  std::array<std::uint64_t, 2 * most_units_per_page> tag{};

 protected:
  // Prepares the op of a read for the next read. Every read sets its address, its bytes, its levels and its ECC job,
  // and reads of one pool ask for the same tags and errors.
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

// A FIFO list linked through the ops; ops may also be inserted elsewhere. All ops are of type Op.
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

  // Inserts the op after `before` (null: at the front).
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

  // Removes the op that follows `before` (null: the first).
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
