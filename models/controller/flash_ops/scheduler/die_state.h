// SPDX-License-Identifier: Apache-2.0
// What a die does, what waits for it, and what of that could be sent to it now. The scheduler changes it.
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

// The part of the parameters that says what a die may be sent while it is at work.
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
  std::uint32_t max_suspends;  // of one operation; 0: any number
  Tick min_run;
  bool cache_read;
  bool cache_program;
  bool saves = false;  // the supply has failed: what is to be saved goes first, and is not suspended
};

struct DieState {
  enum class Activity : std::uint8_t {
    idle,
    requesting,  // a command is on the bus or is one of several planes' that are being sent
    reading,     // until the last byte of its pages has moved out
    copying,     // a page to its page register
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

  // A suspended die takes reads of the host only.
  DieCandidates candidates() const;

  // What the state of the die and of its queues allows. The policy is not asked, so these may be looked at at any time;
  // what goes is decided once, when the bus is free for it.
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

  // The decisions, each by one question to the policy. Whether the read that waits suspends what is going on:
  bool decides_to_suspend(Tick now) const;
  // The queue that the next operation is taken from; while a program is going on, only if it can join that in the cache
  // register. None: nothing goes, and what is suspended is resumed. Throws Error where the policy names an empty queue.
  std::optional<QueueKind> decide(Tick now) const;

  // A command is on its way to the die, its array works, or its page buffers hold something.
  bool occupied() const { return activity != Activity::idle || suspended != Activity::idle || copyback != nullptr; }

  bool programs_or_erases() const { return activity == Activity::programming || activity == Activity::erasing; }
  // Policies that keep account hear of what was in the queues: of a die lock, of the first read.
  bool counts(const FlashOp& op) const { return keeps_account && !op.goes_along && (!locked || op.locks_die); }

  // Writes, then what makes room for them; reads of the host, which waits for none any more, may be part of a write.
  static std::optional<QueueKind> first_to_save(const DieCandidates& candidates);

  // Says what it does and what waits for it; nothing when it is idle and nothing waits.
  void list(std::ostream& out) const;

  // Of a program or an erase that is going on, and of a program that lets the next into the cache register.
  bool rules_allow_suspend(Tick now) const;
  bool cache_takes_program(Tick now) const;

  const ChannelId channel;
  const std::uint32_t index;  // on its channel
  DieQueues queues;
  SchedulingPolicy* const policy;
  const bool keeps_account;
  const OverlapRules* const rules;

  TimeAtLimit taken;  // the time in which it was occupied
  Activity activity = Activity::idle;
  Activity suspended = Activity::idle;  // programming or erasing when such an operation waits to be resumed
  bool reads_declined = false;          // it was resumed though reads waited, and no other has come since
  bool responding = false;              // the operation's array is known to have ended
  bool telling = false;                 // a command has ended, and its op has not heard of it
  bool control_in_flight = false;
  std::vector<FlashOp*> group;  // planes of the operation being sent
  std::size_t sent = 0;
  std::uint32_t unfinished = 0;  // commands of the operation that have not responded
  std::uint32_t suspended_unfinished = 0;
  const FlashOp* under_way = nullptr;  // first of the program or erase that is going on or suspended
  std::uint32_t suspends = 0;          // of that operation
  Tick running_since = 0;
  bool run_timer = false;         // an event will look whether it may be suspended
  FlashOp* cache_read = nullptr;  // behind the read that is going on
  bool locked = false;            // what is enqueued under the lock is all that goes to it
  OpQueue under_lock;
  // Programs: whether the one that is going on lets the next into the cache register, and from when on.
  bool cacheable_program = false;
  Tick cache_free = 0;
  std::uint32_t cached = 0;  // commands of the program that waits in the cache register
  const FlashOp* cached_first = nullptr;
  const NandCommand* cached_last = nullptr;
  FlashOp* copyback = nullptr;  // whose page is in its page register
  // One each: a resume that ends may be followed by a suspend at once.
  NandCommand suspend;
  NandCommand resume;
};

}  // namespace nandscape::controller
