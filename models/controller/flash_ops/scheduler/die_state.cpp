// SPDX-License-Identifier: Apache-2.0
#include "controller/flash_ops/scheduler/die_state.h"

#include <ostream>
#include <sstream>

#include "core/error.h"

namespace nandscape::controller {

DieCandidates DieState::candidates() const {
  if (suspended == Activity::idle) return queues.candidates();
  DieCandidates result;
  result.first[static_cast<std::size_t>(QueueKind::host_read)] = queues.host_read();
  result.suspended = under_way;
  return result;
}

std::optional<QueueKind> DieState::first_to_save(const DieCandidates& candidates) {
  using enum QueueKind;
  if (candidates.suspended != nullptr) return std::nullopt;
  for (const QueueKind kind : {host_write, background_write, erase, background_read, host_read}) {
    if (candidates[kind] != nullptr) return kind;
  }
  return std::nullopt;
}

bool DieState::rules_allow_suspend(Tick now) const {
  if (queues.host_read() == nullptr || rules->saves) return false;
  if (suspended != Activity::idle || control_in_flight || responding) return false;
  const bool programming = activity == Activity::programming;
  switch (rules->suspend) {
    case Suspend::none: return false;
    case Suspend::program:
      if (!programming) return false;
      break;
    case Suspend::erase:
      if (programming) return false;
      break;
    case Suspend::program_erase: break;
  }
  if (rules->max_suspends != 0 && suspends >= rules->max_suspends) return false;
  if (rules->min_run != 0 && now < running_since + rules->min_run) return false;
  // A page in the cache register, or being sent there, would collide with the data of the reads.
  return cached == 0 && group.empty();
}

bool DieState::decides_to_suspend(Tick now) const {
  if (!could_suspend(now)) return false;
  return keeps_account ? policy->may_suspend(*queues.host_read(), *under_way, now) : !reads_declined;
}

std::optional<QueueKind> DieState::decide(Tick now) const {
  const DieCandidates waiting = candidates();
  const std::optional<QueueKind> kind = rules->saves ? first_to_save(waiting) : policy->choose(waiting, now);
  if (kind ? waiting[*kind] == nullptr : suspended == Activity::idle && waiting.any()) {
    throw Error("the scheduling policy " + rules->policy + " chose " + (kind ? "an empty queue" : "no queue") +
                " of die " + std::to_string(index) + " of channel " + std::to_string(channel.value) +
                "; it must choose a queue in which a command waits, and none only to resume a suspended operation");
  }
  if (!kind || activity != Activity::programming) return kind;
  const bool program = *kind == QueueKind::host_write || *kind == QueueKind::background_write;
  return program && !goes_alone(*waiting[*kind]) ? kind : std::nullopt;
}

bool DieState::could_start_locked() const {
  const FlashOp* const next = under_lock.front();
  if (next == nullptr) return false;
  const bool resets = next->command.operation == NandOperation::reset;
  // The issuer of a reset expects that earlier commands have ended by then, or are aborted.
  if (resets && telling) return false;
  return activity == Activity::idle || (resets && activity == Activity::reading && !responding);
}

bool DieState::could_cache_read() const {
  if (activity != Activity::reading || responding || cache_read != nullptr || control_in_flight) return false;
  if (locked) {
    const FlashOp* const next = under_lock.front();
    return next != nullptr && next->command.operation == NandOperation::read;
  }
  const FlashOp* const next = queues.host_read();
  // Grouped reads wait for others to join, and a die lock for the idle die.
  return rules->cache_read && next != nullptr && !next->locks_die && !queues.groups(*next);
}

bool DieState::cache_takes_program(Tick now) const {
  if (responding || cached != 0 || !group.empty() || now < cache_free) return false;
  const DieCandidates waiting = candidates();
  const FlashOp* const background = waiting[QueueKind::background_write];
  return waiting[QueueKind::host_write] != nullptr || (background != nullptr && !goes_alone(*background));
}

void DieState::list(std::ostream& out) const {
  constexpr const char* activities[] = {"idle",        "requesting", "reading",   "copying",
                                        "programming", "erasing",    "suspending"};
  std::ostringstream in_queues;
  queues.list(in_queues);
  if (!under_lock.empty()) in_queues << " under lock " << under_lock.size() << ",";
  const std::string waiting = in_queues.str();
  if (waiting.empty() && activity == Activity::idle && suspended == Activity::idle) return;
  out << activities[static_cast<std::size_t>(activity)] << ":" << waiting;
  if (suspended != Activity::idle) out << " suspended " << activities[static_cast<std::size_t>(suspended)];
}

}  // namespace nandscape::controller
