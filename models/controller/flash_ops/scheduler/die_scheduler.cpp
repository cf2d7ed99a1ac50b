// SPDX-License-Identifier: Apache-2.0
#include "controller/flash_ops/scheduler/die_scheduler.h"

#include <algorithm>
#include <bit>
#include <ostream>
#include <sstream>
#include <utility>

#include "core/error.h"

namespace nandscape::controller {

namespace {

using State = DieMachine::State;
using Work = DieMachine::Work;

// Replaces the policy after a power loss. Writes are served first, then the erases and reads that make room for them.
// Host reads are last, because the host no longer waits for them. They are still needed, because a read may be part of
// a write.
std::optional<QueueKind> first_to_save(const DieCandidates& candidates) {
  using enum QueueKind;
  if (candidates.suspended != nullptr) return std::nullopt;
  for (const QueueKind kind : {host_write, background_write, erase, background_read, host_read}) {
    if (candidates[kind] != nullptr) return kind;
  }
  return std::nullopt;
}

}  // namespace

void describe(const SchedulerCounters& c, StatisticsVisitor& v) {
  v.count("suspends", c.suspends, "programs and erases suspended by host reads");
  v.count("operations", c.operations, "array operations, of one plane or several");
  v.ratio("planes_per_operation", static_cast<double>(c.planes), static_cast<double>(c.operations), "",
          "average planes per operation");
  v.count("multi_plane_operations", c.multi_plane_operations, "operations on more than one plane");
  v.count("multi_location_operations", c.multi_location_operations,
          "operations whose reads may be of any pages that share neither bitlines nor block decoders");
  v.ratio("locations_per_operation", static_cast<double>(c.locations), static_cast<double>(c.multi_location_operations),
          "", "average reads per multi-location operation");
  v.ratio("subpages_per_operation", static_cast<double>(c.subpages), static_cast<double>(c.multi_location_operations),
          "", "average page quarters read per multi-location operation");
  v.count("cache_programs", c.cache_programs, "pages sent while the previous page was programmed");
  v.count("copybacks", c.copybacks, "pages moved within their plane");
  v.count("resets", c.resets, "resets of dies to end reads that are no longer needed");
  v.count("starvation_interventions", c.starvation_interventions,
          "commands served out of the policy's order to prevent starvation");
}

std::uint32_t DieRules::works_of(Suspend suspend) {
  constexpr std::uint32_t programs = 1u << static_cast<unsigned>(Work::programming);
  constexpr std::uint32_t erases = 1u << static_cast<unsigned>(Work::erasing);
  switch (suspend) {
    case Suspend::none: return 0;
    case Suspend::program: return programs;
    case Suspend::erase: return erases;
    case Suspend::program_erase: break;
  }
  return programs | erases;
}

// --- what could be sent

bool DieScheduler::could_interrupt(Tick now) const {
  if (locked) return could_start_locked();
  return machine.programs_or_erases() && (could_suspend(now) || could_cache_program(now));
}

bool DieScheduler::could_start_locked() const {
  const FlashOp* const next = queues.locked();
  if (next == nullptr) return false;
  return next->command.operation == NandOperation::reset ? machine.takes_reset() : machine.free();
}

bool DieScheduler::a_program_waits() const {
  const DieCandidates waiting = candidates();
  const FlashOp* const background = waiting[QueueKind::background_write];
  return waiting[QueueKind::host_write] != nullptr || (background != nullptr && !goes_alone(*background));
}

bool DieScheduler::could_cache_read() const {
  if (!machine.takes_cache_read()) return false;
  if (locked) {
    const FlashOp* const next = queues.locked();
    return next != nullptr && next->command.operation == NandOperation::read;
  }
  const FlashOp* const next = queues.host_read();
  // A grouped read is not sent as a cache read, so that other reads can still join it. A read that locks the die must
  // wait until the die is idle.
  return rules->cache_read && next != nullptr && !next->locks_die && !queues.groups(*next);
}

bool DieScheduler::could_read_plane() const {
  if (!machine.takes_plane_read()) return false;
  return queues.read_of_free_plane(QueueKind::host_read, machine) != nullptr ||
         (machine.suspended().empty() && queues.read_of_free_plane(QueueKind::background_read, machine) != nullptr);
}

// --- decisions

DieCandidates DieScheduler::candidates_of_suspended() const {
  DieCandidates result;
  result.first[static_cast<std::size_t>(QueueKind::host_read)] = queues.host_read();
  result.suspended = machine.suspended().front();
  return result;
}

DieCandidates DieScheduler::candidates_beside_reads() const {
  DieCandidates result = candidates();
  for (const QueueKind kind : {QueueKind::host_read, QueueKind::background_read}) {
    const FlashOp*& first = result.first[static_cast<std::size_t>(kind)];
    if (first != nullptr) first = queues.read_of_free_plane(kind, machine);
  }
  return result;
}

bool DieScheduler::decides_to_suspend(Tick now) const {
  return keeps_account ? policy->may_suspend(*queues.host_read(), *machine.array().front(), now) : !reads_declined;
}

inline std::optional<QueueKind> DieScheduler::choose(const DieCandidates& waiting, Tick now) const {
  const std::optional<QueueKind> kind = rules->saves ? first_to_save(waiting) : policy->choose(waiting, now);
  if (kind ? waiting[*kind] == nullptr : waiting.suspended == nullptr && waiting.any()) refuse_choice(kind);
  return kind;
}

inline std::optional<QueueKind> DieScheduler::decide(Tick now) const {
  const DieCandidates waiting = candidates();
  const std::optional<QueueKind> kind = choose(waiting, now);
  if (!kind || machine.work() != Work::programming) return kind;
  const bool program = *kind == QueueKind::host_write || *kind == QueueKind::background_write;
  return program && !goes_alone(*waiting[*kind]) ? kind : std::nullopt;
}

void DieScheduler::refuse_choice(std::optional<QueueKind> kind) const {
  throw Error("the scheduling policy " + rules->policy_name + " chose " + (kind ? "an empty queue" : "no queue") +
              " of die " + std::to_string(index.value) + " of channel " + std::to_string(channel.value) +
              "; it must choose a queue in which a command waits, and none only to resume a suspended operation");
}

// --- the next command

NandCommand* DieScheduler::next(Tick now) {
  if (!machine.rests() || locked || !asks_only_for_choices) return next_by_policy(now);
  if (!machine.suspended().empty()) return next_while_suspended(now);
  if (!queues.only_host_reads()) return next_by_policy(now);
  return next_host_read(now);
}

NandCommand* DieScheduler::next_while_suspended(Tick now) {
  if (rules->saves) return next_by_policy(now);
  if (queues.any_host_read()) return next_host_read(now);
  reads_declined = false;
  return &control(resume_);
}

inline NandCommand* DieScheduler::next_host_read(Tick now) {
  const DieQueues::Gathered gathered = queues.gather(QueueKind::host_read, machine.sending(), now);
  return gathered == DieQueues::Gathered::die_lock ? lock_for_first(now) : &begin(now);
}

NandCommand* DieScheduler::next_by_policy(Tick now) {
  if (could_suspend(now) && decides_to_suspend(now)) return &control(suspend_);
  if (locked || (!machine.free() && !could_cache_program(now))) return next_beside_reads(now);
  if (machine.state() == State::copied) {
    if (NandCommand* const program = copyback_programs(now)) return program;
  }
  if (separates_classes) queues.order_classes(now);
  while (const std::optional<QueueKind> kind = decide(now)) {
    switch (queues.gather(*kind, machine.sending(), now)) {
      case DieQueues::Gathered::nothing: continue;
      case DieQueues::Gathered::die_lock: return lock_for_first(now);
      case DieQueues::Gathered::grouped: return send_grouped(now);
      case DieQueues::Gathered::operation: return &begin(now);
    }
  }
  if (machine.suspended().empty()) return nullptr;
  reads_declined = queues.host_read() != nullptr;
  return &control(resume_);
}

NandCommand* DieScheduler::next_beside_reads(Tick now) {
  if (locked || !rules->independent_plane_reads || !could_read_plane()) return nullptr;
  if (separates_classes) queues.order_classes(now);
  const DieCandidates waiting = candidates_beside_reads();
  const std::optional<QueueKind> kind = waiting.any() ? choose(waiting, now) : std::nullopt;
  if (kind != QueueKind::host_read && kind != QueueKind::background_read) return nullptr;
  machine.sending().push(queues.take_read(*waiting[*kind]));
  return &begin(now);
}

NandCommand* DieScheduler::lock_for_first(Tick now) {
  FlashOp& first = *machine.sending().front();
  machine.sending().clear();
  lock();
  first.die_locked(now);
  return nullptr;
}

NandCommand* DieScheduler::send_grouped(Tick now) {
  OpQueue& group = machine.sending();
  if (rules->grouping->locks_die()) {
    lock();
    for (FlashOp& read : group) read.locks_die = true;
  }
  group.front()->gathered(group, now);
  return &begin(now);
}

NandCommand* DieScheduler::next_locked(Tick now) {
  OpQueue& group = machine.sending();
  while (could_start_locked()) {
    FlashOp& op = queues.pop_locked();
    if (op.command.operation == NandOperation::read) {
      op.command.cache = false;
      group.push(op);
      // All reads of a grouped operation are enqueued one after another, so all reads in the queue belong to this
      // operation.
      while (op.command.single_operation && queues.locked() != nullptr) group.push(queues.pop_locked());
      return &begin(now);
    }
    if (op.command.operation != NandOperation::reset || !machine.free()) return &control(op.command);
    op.array_done(now);
  }
  return nullptr;
}

// Returns the first program of the copied pages. They form one operation, because gathering has chosen copybacks with
// the same next page. If the places have changed meanwhile, the others are read again later.
NandCommand* DieScheduler::copyback_programs(Tick now) {
  OpQueue& group = machine.sending();
  ProgramPlace place;
  for (OpQueue copies = machine.copies_leave(); !copies.empty();) {
    FlashOp& copy = copies.pop();
    if (!group.empty() && copy.next_page() != place) {
      queues.put_back(copy, false);
      continue;
    }
    switch (copy.place(now)) {
      case Placement::withdraw:
        if (keeps_account) policy->withdrawn(copy);
        copy.withdrawn(now);
        break;
      case Placement::wait: queues.put_back(copy, true); break;
      case Placement::placed:
        copy.command.operation = NandOperation::copyback_program;
        copy.command.retry_step = 0;
        ++rules->counters.copybacks;
        place = {copy.command.page, copy.command.mode};
        group.push(copy);
        break;
    }
  }
  return group.empty() ? nullptr : &begin(now);
}

// Begins the operation whose ops the caller has put into `machine.sending()`. Returns its first command.
inline NandCommand& DieScheduler::begin(Tick now) {
  if (!plain_commands || machine.sending().front()->next != nullptr) return begin_operation(now);
  ++rules->counters.operations;
  ++rules->counters.planes;
  return first_plane();
}

// Begins an operation that has several planes, or that the policy must know of.
NandCommand& DieScheduler::begin_operation(Tick now) {
  if (rules->independent_plane_reads) {
    NandCommand& first = machine.sending().front()->command;
    first.independent = !locked && first.operation == NandOperation::read;
  }
  count(machine.sending());
  if (keeps_account || rules->cache_program) tell_policy(machine.sending(), now);
  return first_plane();
}

inline NandCommand& DieScheduler::first_plane() {
  machine.operation_begins();
  return command_of(*machine.sending().front());
}

// Notifies the policy of the ops that are being sent. If cache programs are enabled, also sets `cache` in each program
// if another program is waiting.
void DieScheduler::tell_policy(const OpQueue& operation, Tick now) {
  const DieCandidates left = candidates();
  // The confirm cycle of a program must announce whether another page follows.
  const bool more = rules->cache_program && operation.front()->command.operation == NandOperation::program &&
                    (left[QueueKind::host_write] != nullptr || left[QueueKind::background_write] != nullptr);
  for (FlashOp& op : operation) {
    if (rules->cache_program && op.command.operation == NandOperation::program) op.command.cache = more;
    // A copyback has already been reported to the policy when its read was sent.
    if (counts(op) && op.command.operation != NandOperation::copyback_program) {
      op.started = now;
      policy->started(op, left, now);
    }
  }
}

void DieScheduler::count(const OpQueue& operation) {
  SchedulerCounters& counters = rules->counters;
  const std::size_t planes = operation.size();
  ++counters.operations;
  if (machine.busy(Work::programming)) counters.cache_programs += planes;
  if (operation.front()->command.single_operation) return count_locations(operation);
  counters.planes += planes;
  counters.multi_plane_operations += planes > 1;
}

// Updates the counters for a single-operation multiple-location read. Several of its reads may be of the same plane.
void DieScheduler::count_locations(const OpQueue& operation) {
  SchedulerCounters& counters = rules->counters;
  std::uint32_t planes = 0;
  for (auto read = operation.begin(); read != operation.end(); ++read) {
    planes += std::none_of(operation.begin(), read, [&](const FlashOp& other) { return other.plane == (*read).plane; });
    counters.subpages += static_cast<std::uint64_t>(std::popcount((*read).command.subpages));
  }
  counters.planes += planes;
  counters.multi_plane_operations += planes > 1;
  ++counters.multi_location_operations;
  counters.locations += operation.size();
}

NandCommand& DieScheduler::control(NandCommand& command) {
  machine.control_begins(command.operation);
  return command;
}

FlashOp* DieScheduler::next_cache_read(Tick now) {
  if (separates_classes) queues.order_classes(now);
  // Another read may be at the front of the queue now, because the order of the classes may have changed.
  if (!could_cache_read() || (!locked && decide(now) != QueueKind::host_read)) return nullptr;
  FlashOp& read = locked ? queues.pop_locked() : queues.pop_host_read();
  read.command.more_planes = false;
  read.command.single_operation = false;
  read.command.independent = false;
  read.command.cache = true;
  machine.cache_read_sent(read);
  ++rules->counters.operations;
  ++rules->counters.planes;
  if (counts(read)) {
    read.started = now;
    policy->started(read, candidates(), now);
  }
  return &read;
}

void DieScheduler::list(std::ostream& out) const {
  std::ostringstream in_queues;
  queues.list(in_queues);
  const std::string waiting = in_queues.str();
  const OpQueue& suspended = machine.suspended();
  if (waiting.empty() && machine.state() == State::idle && suspended.empty()) return;
  out << name_of(machine.state(), machine.work()) << ":" << waiting;
  if (!suspended.empty()) out << " suspended " << name_of(State::busy, DieMachine::work_of(suspended));
}

}  // namespace nandscape::controller
