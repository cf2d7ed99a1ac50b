// SPDX-License-Identifier: Apache-2.0
// The state of a die: its current operation, its queues, and the commands that could be sent now. Changed by the
// scheduler.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "controller/flash_ops/scheduler/die_queues.h"
#include "controller/flash_ops/scheduler/parameters.h"
#include "core/ids.h"
#include "core/time_at_limit.h"

namespace nandscape::controller {

// The parameters that decide which commands a busy die may be sent.
struct OverlapRules {
  explicit OverlapRules(const SchedulerParameters& parameters)
      : policy(parameters.policy.name),
        suspend(parameters.suspend),
        max_suspends(parameters.max_suspends),
        min_run(ticks_from_us(parameters.min_run_us)),
        cache_read(parameters.cache_read),
        cache_program(parameters.cache_program) {}

  std::string policy;  // its name
  Suspend suspend;
  std::uint32_t max_suspends;  // per operation; 0: unlimited
  Tick min_run;
  bool cache_read;
  bool cache_program;
  bool saves = false;  // the supply has failed: writes go first and are not suspended
};

struct DieState {
  enum class Activity : std::uint8_t {
    idle,
    requesting,  // a command is on the bus, or more planes are to be sent
    reading,     // until the last byte of its pages has been transferred
    copying,     // reading a page into its page register
    programming,
    erasing,
    suspending,
  };

  DieState(ChannelId of_channel, std::uint32_t die, DieQueues its_queues, SchedulingPolicy& its_policy,
           const OverlapRules& its_rules)
      : channel(of_channel),
        index(die),
        queues(std::move(its_queues)),
        policy(&its_policy),
        keeps_account(its_policy.keeps_account()),
        rules(&its_rules) {}

  // A suspended die accepts host reads only.
  DieCandidates candidates() const;

  // Checks against the state of the die and of its queues. They do not call the policy, so they may be called at any
  // time. The actual choice is made once, when the bus is free for it.
  bool could_start(Tick now) const {
    if (control_in_flight) return false;
    if (locked) return could_start_locked();
    if (activity != Activity::idle) return could_suspend(now) || could_cache_program(now);
    return suspended != Activity::idle || copyback != nullptr || queues.offers_any();
  }
  bool could_start_locked() const;
  bool could_suspend(Tick now) const { return programs_or_erases() && rules_allow_suspend(now); }
  bool could_cache_read() const;
  bool could_cache_program(Tick now) const {
    return activity == Activity::programming && cacheable_program && cache_takes_program(now);
  }

  // The decisions. Each calls the policy once. Whether the waiting read suspends the current operation:
  bool decides_to_suspend(Tick now) const;
  // The queue from which the next operation is taken. While a program is running, only an op that can join it in the
  // cache register. None: nothing is sent, and a suspended operation is resumed. Throws Error if the policy chooses an
  // empty queue.
  std::optional<QueueKind> decide(Tick now) const;

  // A command is being sent to the die, its array is busy, or its page buffers hold data.
  bool occupied() const { return activity != Activity::idle || suspended != Activity::idle || copyback != nullptr; }

  bool programs_or_erases() const { return activity == Activity::programming || activity == Activity::erasing; }
  // Policies that keep account are notified of ops that were queued; of a die lock, only of its first read.
  bool counts(const FlashOp& op) const { return keeps_account && !op.goes_along && (!locked || op.locks_die); }

  // Writes first, then the erases and reads that make room for them. Host reads are last: the host no longer waits for
  // any, but a read may be part of a write.
  static std::optional<QueueKind> first_to_save(const DieCandidates& candidates);

  // Prints the die's activity and its queues; prints nothing if it is idle and nothing waits.
  void list(std::ostream& out) const;

  // Whether a running program or erase may be suspended, and whether a running program accepts the next page into the
  // cache register.
  bool rules_allow_suspend(Tick now) const;
  bool cache_takes_program(Tick now) const;

  const ChannelId channel;
  const std::uint32_t index;  // on its channel
  DieQueues queues;
  SchedulingPolicy* const policy;
  const bool keeps_account;
  const OverlapRules* const rules;

  TimeAtLimit taken;  // time occupied()
  Activity activity = Activity::idle;
  Activity suspended = Activity::idle;  // `programming` or `erasing` while such an operation is suspended
  bool reads_declined = false;          // resumed although reads waited, and no read has come since
  bool responding = false;              // the array operation has ended
  bool telling = false;                 // a command has ended and its op is not yet notified
  bool control_in_flight = false;
  std::vector<FlashOp*> group;  // planes of the operation being sent
  std::size_t sent = 0;
  std::uint32_t unfinished = 0;  // commands of the operation that have not responded
  std::uint32_t suspended_unfinished = 0;
  const FlashOp* under_way = nullptr;  // first op of the running or suspended program or erase
  std::uint32_t suspends = 0;          // of under_way
  Tick running_since = 0;
  bool run_timer = false;         // an event is scheduled to check for a suspend
  FlashOp* cache_read = nullptr;  // behind the current read
  bool locked = false;            // only ops enqueued under the lock are sent
  OpQueue under_lock;
  // Whether the running program accepts the next one into the cache register, and from when on.
  bool cacheable_program = false;
  Tick cache_free = 0;
  std::uint32_t cached = 0;  // commands of the program waiting in the cache register
  const FlashOp* cached_first = nullptr;
  const NandCommand* cached_last = nullptr;
  FlashOp* copyback = nullptr;  // its page is in the page register
  // Two commands, since a resume that ends may be followed by a suspend at once.
  NandCommand suspend;
  NandCommand resume;
};

}  // namespace nandscape::controller
