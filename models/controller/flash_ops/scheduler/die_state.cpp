// SPDX-License-Identifier: Apache-2.0
#include "controller/flash_ops/scheduler/die_state.h"

#include <ostream>
#include <sstream>

namespace nandscape::controller {

DieCandidates DieState::candidates() const {
  if (suspended == Activity::idle) return queues.candidates();
  DieCandidates result;
  result.first[static_cast<std::size_t>(QueueKind::host_read)] = queues.host_read();
  result.suspended = under_way;
  return result;
}

bool DieState::may_suspend(Tick now) const {
  const FlashOp* const read = queues.host_read();
  if (read == nullptr || suspended != Activity::idle || control_in_flight || responding) return false;
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
  // The page in the cache register, or on its way there, would be in the way of what the reads move out.
  if (cached != 0 || !group.empty()) return false;
  return !keeps_account || policy->may_suspend(*read, *under_way, now);
}

bool DieState::could_start_locked() const {
  const FlashOp* const next = under_lock.front();
  if (next == nullptr) return false;
  const bool resets = next->command.operation == NandOperation::reset;
  // Who asks for a reset counts on what was sent before to have ended by then, or to be aborted.
  if (resets && telling) return false;
  return activity == Activity::idle || (resets && activity == Activity::reading && !responding);
}

bool DieState::could_cache_read(Tick now) const {
  if (activity != Activity::reading || responding || cache_read != nullptr || control_in_flight) return false;
  if (locked) {
    const FlashOp* const next = under_lock.front();
    return next != nullptr && next->command.operation == NandOperation::read;
  }
  const FlashOp* const next = queues.host_read();
  if (!rules->cache_read || next == nullptr) return false;
  // Reads that are grouped wait for others that they can go with, and a die lock for the die.
  if (next->locks_die || queues.groups(*next)) return false;
  return !keeps_account || policy->choose(candidates(), now) == QueueKind::host_read;
}

bool DieState::may_cache_program(Tick now) const {
  if (responding || cached != 0 || !group.empty() || now < cache_free) return false;
  const DieCandidates waiting = candidates();
  const std::optional<QueueKind> next = policy->choose(waiting, now);
  if (next == QueueKind::host_write) return true;
  return next == QueueKind::background_write && !goes_alone(*waiting[*next]);
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
