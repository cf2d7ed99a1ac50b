// SPDX-License-Identifier: Apache-2.0
#include "controller/flash_ops/scheduler/die_machine.h"

#include <utility>

namespace nandscape::controller {

namespace {

using Work = DieMachine::Work;

Work work_of(NandOperation operation) {
  switch (operation) {
    case NandOperation::read: return Work::reading;
    case NandOperation::copyback_read: return Work::copying;
    case NandOperation::program:
    case NandOperation::copyback_program:
    case NandOperation::adjust_voltage: return Work::programming;
    default: return Work::erasing;
  }
}

}  // namespace

const char* name_of(DieMachine::State state, DieMachine::Work work) {
  constexpr const char* states[] = {"idle",    "ended",      "copied",   "sending",     "busy",     "responding",
                                    "halting", "suspending", "resuming", "configuring", "resetting"};
  constexpr const char* works[] = {"idle", "reading", "copying", "programming", "erasing"};
  return state == DieMachine::State::busy ? works[static_cast<std::size_t>(work)]
                                          : states[static_cast<std::size_t>(state)];
}

bool DieMachine::operation_sent(Tick now) {
  Operation& place = array_.empty() ? array_ : cached_;
  place.work = work_of(sending_.back()->command.operation);
  place.ops.swap(sending_);
  if (&place == &cached_) return false;
  array_starts(now);
  return true;
}

void DieMachine::array_starts(Tick now) {
  state_ = State::busy;
  if (!array_.programs_or_erases()) return;
  const NandCommand& last = array_.ops.back()->command;
  array_.suspends = 0;
  array_.running_since = now;
  array_.cacheable = last.operation == NandOperation::program && last.cache;
  array_.cache_free = now + last.response_time;
}

bool DieMachine::command_ends(FlashOp& op) {
  if (array_.ops.size() > 1) {
    std::erase(array_.ops, &op);
    return false;
  }
  array_.ops.clear();
  if (!cached_.empty() || array_.work == Work::copying) return false;
  array_.work = Work::none;
  state_ = sending_.empty() ? State::ended : State::sending;
  return true;
}

void DieMachine::page_copied(FlashOp& copyback) {
  array_.work = Work::none;
  copied_ = &copyback;
  state_ = State::copied;
}

// A cached program began when the array became free. The cache register becomes free tPCBSY after that, which is at
// most tPCBSY from now.
void DieMachine::cached_begins(Tick now) {
  array_.work = std::exchange(cached_.work, Work::none);
  array_.ops.swap(cached_.ops);
  array_starts(now);
}

void DieMachine::control_begins(NandOperation operation) {
  switch (operation) {
    case NandOperation::suspend: state_ = State::halting; break;
    case NandOperation::resume: state_ = State::resuming; break;
    case NandOperation::reset: state_ = State::resetting; break;
    default: state_ = State::configuring; break;
  }
}

void DieMachine::suspend_passed() {
  std::swap(array_, suspended_);
  ++suspended_.suspends;
  state_ = State::suspending;
}

void DieMachine::resumed(Tick now) {
  std::swap(array_, suspended_);
  array_.running_since = now;
  state_ = State::busy;
}

void DieMachine::work_dropped() {
  clear(array_);
  clear(cached_);
}

}  // namespace nandscape::controller
