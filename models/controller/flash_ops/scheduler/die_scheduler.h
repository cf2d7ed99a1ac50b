// SPDX-License-Identifier: Apache-2.0
// Chooses the commands of one die. Normally the scheduling policy decides from which queue the next command is taken.
// While the die is locked, ops are taken in the order of arrival.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <utility>

#include "controller/flash_ops/scheduler/channel_state.h"
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

// Settings and counters that all dies share.
struct DieRules {
  DieRules(const SchedulerParameters& parameters, bool planes_read_alone, const ReadGrouping* read_grouping)
      : policy_name(parameters.policy.name),
        suspendable(works_of(parameters.suspend)),
        most_suspends(parameters.max_suspends == 0 ? ~std::uint32_t{0} : parameters.max_suspends),
        min_run(ticks_from_us(parameters.min_run_us)),
        cache_read(parameters.cache_read),
        cache_program(parameters.cache_program),
        independent_plane_reads(planes_read_alone),
        grouping(read_grouping) {
    set_locked_dies(0);
  }

  void set_power_limited(bool limited) {
    power_limited = limited;
    set_locked_dies(locked_dies);
  }

  void set_locked_dies(std::uint32_t dies) {
    locked_dies = dies;
    cache_reads = cache_read || locked_dies != 0;
    asks_first = cache_reads || power_limited;
    looks_ahead = asks_first || min_run != 0 || independent_plane_reads;
    keeps_back = static_cast<std::uint8_t>(cache_reads ? ~ChannelState::responding : ~0);
  }

  // Returns the set of works that host reads may suspend.
  static std::uint32_t works_of(Suspend suspend);

  const std::string policy_name;
  const std::uint32_t suspendable;    // bit w is set if host reads may suspend the kind w of work (DieMachine::Work)
  const std::uint32_t most_suspends;  // maximum number of suspends per operation
  const Tick min_run;
  const bool cache_read;
  const bool cache_program;
  const bool independent_plane_reads;  // reads are sent with NandCommand::independent unless their die is locked
  const ReadGrouping* const grouping;  // null if reads are not grouped
  bool saves = false;                  // after a power loss: writes are sent first and are not suspended
  bool power_limited = false;          // operations may have to wait for power now
  std::uint32_t locked_dies = 0;
  // The scheduler may send cache reads to some die: they are enabled, or a die is locked. The scheduler always sends
  // successive reads of a locked die as cache reads.
  bool cache_reads = false;
  // Before the next command, the scheduler looks for a cache read or asks whether there is power.
  bool asks_first = false;
  // A busy die may accept another command during its operation, or from a certain time on.
  bool looks_ahead = false;
  // The flags of ChannelState::taken that keep the next command back. If cache reads are allowed, a response does not,
  // because the cycles of a cache read are added to the next response.
  std::uint8_t keeps_back = 0xff;
  SchedulerCounters counters;
};

// A read of the die uses three cache lines: the first lines of `queues` and of `machine`, and the line of the members
// between them.
class DieScheduler {
 public:
  DieScheduler(ChannelId of_channel, DieInChannel die, DieQueues its_queues, SchedulingPolicy& its_policy,
               DieRules& the_rules)
      : queues(std::move(its_queues)),
        channel(of_channel),
        index(die),
        rules(&the_rules),
        keeps_account(its_policy.keeps_account()),
        plain_commands(!keeps_account && !rules->cache_program && !rules->independent_plane_reads &&
                       rules->grouping == nullptr),
        asks_only_for_choices(plain_commands && !its_policy.separates_classes() && !its_policy.makes_every_decision()),
        policy(&its_policy),
        separates_classes(its_policy.separates_classes()) {
    suspend_.operation = NandOperation::suspend;
    resume_.operation = NandOperation::resume;
    suspend_.die = resume_.die = die;
  }

  // could_start() returns whether next() or next_locked() could return a command now. could_cache_read() returns
  // whether next_cache_read() could return a read. Neither function calls the policy, so both may be called at any
  // time.
  [[nodiscard]] bool could_start(Tick now) const {
    if (machine.only_reads() && !locked) return rules->independent_plane_reads && could_read_plane();
    if (locked || !machine.free()) return could_interrupt(now);
    return queues.offers_any() || !machine.suspended().empty() || machine.state() == DieMachine::State::copied;
  }
  [[nodiscard]] bool could_cache_read() const;

  // Chooses and returns the next command for the die: a suspend, the first command of an operation, or a resume. The
  // caller must send it. Returns null if the die needs no command until its state or its queues change. Also returns
  // null if the die is locked, possibly by this call.
  NandCommand* next(Tick now);
  // Does the same for a locked die. A reset that would find nothing to abort is not sent, but ends immediately.
  NandCommand* next_locked(Tick now);
  // Returns the command of the op, which is the first op that is still to be sent of the operation in
  // `machine.sending()`.
  static NandCommand& command_of(FlashOp& op) {
    op.command.more_planes = op.next != nullptr;
    op.command.background = is_background(op.queue);
    return op.command;
  }
  // Returns the next read, to be sent as a cache read behind the read that is in the array. Returns null if the policy
  // prefers another command.
  FlashOp* next_cache_read(Tick now);

  // Set `ready` and `cacheable`, and the die's membership in the sets of its channel.
  void set_ready(bool could) {
    if (ready == could) return;
    ready = could;
    could ? bus->ready.insert(index) : bus->ready.erase(index);
  }
  void set_cacheable(bool could) {
    if (cacheable == could) return;
    cacheable = could;
    could ? bus->cacheable.insert(index) : bus->cacheable.erase(index);
  }

  void lock() {
    locked = true;
    rules->set_locked_dies(rules->locked_dies + 1);
  }
  void unlock() {
    locked = false;
    rules->set_locked_dies(rules->locked_dies - 1);
  }

  // Returns the time before which a waiting host read may not suspend the program or erase in the array. Returns 0 if
  // no host read is waiting or no such operation is in the array.
  Tick runs_until() const {
    const bool waits = machine.programs_or_erases() && queues.host_read() != nullptr;
    return waits ? machine.running_since() + rules->min_run : 0;
  }
  // Returns whether the policy must be notified of the start and the end of the op. While the die is locked, the policy
  // is notified only of the first read.
  bool counts(const FlashOp& op) const { return keeps_account && !op.goes_along && (!locked || op.locks_die); }

  // Notifies the op and, if `counts` is set, the policy that the response of the op has ended. A copyback whose source
  // page has been read has not ended.
  void end(FlashOp& op, bool counts, Tick now) {
    if (op.command.operation == NandOperation::copyback_read) return machine.page_copied(op);
    if (counts) policy->ended(op, now);
    op.locks_die = false;
    op.array_done(now);
  }

  // Prints the die's state and the number of waiting ops. Prints nothing if the die is idle and no op is waiting.
  void list(std::ostream& out) const;

  DieQueues queues;

  const ChannelId channel;
  const DieInChannel index;
  ChannelState* bus = nullptr;  // the channel of the die
  DieRules* const rules;
  bool ready = false;      // the die could accept a command
  bool cacheable = false;  // the die could accept a cache read during its current read
  bool locked = false;     // only ops enqueued under the lock are sent
  // An operation was resumed although reads were waiting, and no read has arrived since then.
  bool reads_declined = false;
  const bool keeps_account;
  // Whether the policy is told of no command, and neither cache programs nor independent or grouped reads are sent.
  const bool plain_commands;
  // Whether, in addition, the policy is asked only if the ops of several kinds wait.
  const bool asks_only_for_choices;
  bool run_timer = false;  // an event at runs_until() is scheduled
  TimeAtLimit taken;       // duration for which the die has been occupied

  DieMachine machine;

  SchedulingPolicy* const policy;
  const bool separates_classes;

 private:
  // Returns whether a locked die could accept its next op, or whether a busy die could accept a suspend or a cached
  // program.
  bool could_interrupt(Tick now) const;
  bool could_start_locked() const;
  // Returns whether a read could be sent to a free plane while other planes read on their own.
  bool could_read_plane() const;
  bool could_suspend(Tick now) const { return machine.takes_suspend() && rules_allow_suspend(now); }
  bool rules_allow_suspend(Tick now) const {
    return (rules->suspendable >> static_cast<unsigned>(machine.work()) & 1) != 0 && !rules->saves &&
           machine.suspends() < rules->most_suspends && now >= machine.running_since() + rules->min_run &&
           queues.host_read() != nullptr;
  }
  bool could_cache_program(Tick now) const { return machine.takes_program(now) && a_program_waits(); }
  bool a_program_waits() const;

  // Returns the ops from which the policy may choose. While an operation is suspended, these are host reads only. While
  // planes read on their own, the reads among them are for free planes.
  DieCandidates candidates() const {
    return machine.suspended().empty() ? queues.candidates() : candidates_of_suspended();
  }
  DieCandidates candidates_beside_reads() const;
  DieCandidates candidates_of_suspended() const;
  // Decides whether the waiting host read suspends the operation in the array. May be called only if could_suspend() is
  // true. Asks the policy if its keeps_account() is true.
  bool decides_to_suspend(Tick now) const;
  // Decides from which queue the next operation is taken. Calls the policy once, except after a power loss. While a
  // program is in the array, the next operation can only be a program for the cache register. While planes read on
  // their own, it can only be a read; if the policy chooses something else, the die first becomes idle. Returns nothing
  // if no operation is to be sent; a suspended operation is then resumed. Throws Error if the policy chooses an empty
  // queue.
  std::optional<QueueKind> decide(Tick now) const;
  std::optional<QueueKind> choose(const DieCandidates& waiting, Tick now) const;
  [[noreturn]] void refuse_choice(std::optional<QueueKind> kind) const;

  // Asks the policy. next() calls it unless the rules alone determine the next command.
  [[gnu::noinline]] NandCommand* next_by_policy(Tick now);
  [[gnu::noinline]] NandCommand* next_while_suspended(Tick now);
  NandCommand* next_host_read(Tick now);
  NandCommand* copyback_programs(Tick now);
  [[gnu::noinline]] NandCommand* lock_for_first(Tick now);
  [[gnu::noinline]] NandCommand* send_grouped(Tick now);
  // Chooses a read of a free plane while other planes read on their own.
  NandCommand* next_beside_reads(Tick now);
  NandCommand& begin(Tick now);
  [[gnu::noinline]] NandCommand& begin_operation(Tick now);
  NandCommand& first_plane();
  void tell_policy(const OpQueue& operation, Tick now);
  void count(const OpQueue& operation);
  void count_locations(const OpQueue& operation);
  NandCommand& control(NandCommand& command);

  // The die needs separate objects for both commands, because a suspend may be sent immediately when a resume ends.
  NandCommand suspend_;
  NandCommand resume_;
};

}  // namespace nandscape::controller
