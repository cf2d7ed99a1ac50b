// SPDX-License-Identifier: Apache-2.0
// Chooses the commands of one die: from its queues by the policy, or, while the die is locked, in the order of arrival.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <utility>

#include "controller/flash_ops/scheduler/die_machine.h"
#include "controller/flash_ops/scheduler/die_queues.h"
#include "controller/flash_ops/scheduler/scheduling_policy.h"
#include "core/ids.h"
#include "core/statistics.h"
#include "core/time_at_limit.h"

namespace nandscape::controller {

struct SchedulerCounters {
  std::uint64_t suspends = 0;
  std::uint64_t operations = 0;
  std::uint64_t planes = 0;
  std::uint64_t multi_plane_operations = 0;
  std::uint64_t multi_location_operations = 0;
  std::uint64_t locations = 0;
  std::uint64_t subpages = 0;
  std::uint64_t cache_programs = 0;
  std::uint64_t copybacks = 0;
  std::uint64_t resets = 0;
  std::uint64_t starvation_interventions = 0;
};
void describe(const SchedulerCounters& counters, StatisticsVisitor& visitor);

// State that all dies share.
struct DieRules {
  DieRules(const SchedulerParameters& parameters, const ReadGrouping* read_grouping)
      : policy_name(parameters.policy.name),
        suspend(parameters.suspend),
        max_suspends(parameters.max_suspends),
        min_run(ticks_from_us(parameters.min_run_us)),
        cache_read(parameters.cache_read),
        cache_program(parameters.cache_program),
        grouping(read_grouping) {}

  // Whether any die may get cache reads. The reads of a locked die follow each other as cache reads.
  bool cache_reads() const { return cache_read || locked_dies != 0; }

  const std::string policy_name;
  const Suspend suspend;
  const std::uint32_t max_suspends;  // per operation; 0: unlimited
  const Tick min_run;
  const bool cache_read;
  const bool cache_program;
  const ReadGrouping* const grouping;  // null if reads are not grouped
  bool saves = false;                  // the supply has failed: writes go first and are not suspended
  std::uint32_t locked_dies = 0;
  SchedulerCounters counters;
};

class DieScheduler {
 public:
  DieScheduler(ChannelId of_channel, DieInChannel die, DieQueues its_queues, SchedulingPolicy& its_policy,
               DieRules& the_rules)
      : channel(of_channel),
        index(die),
        queues(std::move(its_queues)),
        policy(&its_policy),
        keeps_account(its_policy.keeps_account()),
        separates_classes(its_policy.separates_classes()),
        rules(&the_rules) {
    suspend_.operation = NandOperation::suspend;
    resume_.operation = NandOperation::resume;
    suspend_.die = resume_.die = die;
  }

  // Whether next() or next_locked() could return a command now, and whether next_cache_read() could return a read.
  // Neither function calls the policy, so both may be called at any time.
  [[nodiscard]] bool could_start(Tick now) const {
    if (locked || !machine.free()) return could_interrupt(now);
    return queues.offers_any() || !machine.suspended().empty() || machine.state() == DieMachine::State::copied;
  }
  [[nodiscard]] bool could_cache_read() const;

  // Takes the next command for the die, which must then be sent: a suspend, the first command of an operation, or a
  // resume. Returns null if the die takes none until it changes, or if it is locked, perhaps by this call.
  NandCommand* next(Tick now);
  // The same for a locked die. A reset that finds nothing to abort ends at once.
  NandCommand* next_locked(Tick now);
  // The next plane of the operation being sent.
  NandCommand& next_plane();
  // Takes a read that follows the read in the array as a cache read. Returns null if the policy prefers another
  // command.
  FlashOp* next_cache_read(Tick now);

  void lock() {
    locked = true;
    ++rules->locked_dies;
  }
  void unlock() {
    locked = false;
    --rules->locked_dies;
  }

  // The time before which a waiting host read may not suspend the program or erase in the array; 0 if there is no such
  // read or operation.
  Tick runs_until() const {
    const bool waits = machine.array().programs_or_erases() && queues.host_read() != nullptr;
    return waits ? machine.array().running_since + rules->min_run : 0;
  }
  // Whether the policy keeps account of the queued op. The policy is notified only of the first read of a die lock.
  bool counts(const FlashOp& op) const { return keeps_account && !op.goes_along && (!locked || op.locks_die); }

  // Prints the die's state and its queues; prints nothing if it is idle and nothing waits.
  void list(std::ostream& out) const;

  const ChannelId channel;
  const DieInChannel index;
  DieQueues queues;
  DieMachine machine;
  SchedulingPolicy* const policy;
  const bool keeps_account;
  const bool separates_classes;
  DieRules* const rules;

  bool ready = false;           // could take a command
  bool cacheable = false;       // could take a cache read behind its current read
  bool locked = false;          // only ops enqueued under the lock are sent
  bool reads_declined = false;  // resumed although reads waited, and no read has arrived since
  bool run_timer = false;       // an event at runs_until() is scheduled
  TimeAtLimit taken;            // time in which the die was occupied

 private:
  // Whether a locked die could take its next op, or a die that works another command.
  bool could_interrupt(Tick now) const;
  bool could_start_locked() const;
  bool could_suspend(Tick now) const { return machine.takes_suspend() && rules_allow_suspend(now); }
  bool rules_allow_suspend(Tick now) const;
  bool could_cache_program(Tick now) const { return machine.takes_program(now) && a_program_waits(); }
  bool a_program_waits() const;

  // A suspended die accepts host reads only.
  DieCandidates candidates() const {
    return machine.suspended().empty() ? queues.candidates() : candidates_of_suspended();
  }
  DieCandidates candidates_of_suspended() const;
  // Decides whether the waiting read suspends the operation in the array, if it could. Calls the policy once.
  bool decides_to_suspend(Tick now) const;
  // Decides from which queue the next operation is taken. Calls the policy once. While a program runs, only an op that
  // can join it in the cache register is taken. If there is no such op, nothing is sent, and a suspended operation
  // resumes. Throws Error if the policy chooses an empty queue.
  std::optional<QueueKind> decide(Tick now) const;
  [[noreturn]] void refuse_choice(std::optional<QueueKind> kind) const;

  NandCommand* copyback_program(Tick now);
  NandCommand& begin(Tick now);
  void tell_policy(const std::vector<FlashOp*>& operation, Tick now);
  void count(const std::vector<FlashOp*>& operation);
  void count_locations(const std::vector<FlashOp*>& operation);
  NandCommand& control(NandCommand& command);

  std::size_t sent_ = 0;  // planes of the operation being sent
  // Two commands, since a suspend may follow at once when a resume ends.
  NandCommand suspend_;
  NandCommand resume_;
};

}  // namespace nandscape::controller
