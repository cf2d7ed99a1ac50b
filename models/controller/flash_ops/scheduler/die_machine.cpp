// SPDX-License-Identifier: Apache-2.0
#include "controller/flash_ops/scheduler/die_machine.h"

namespace nandscape::controller {

const char* name_of(DieMachine::State state, DieMachine::Work work) {
  constexpr const char* states[] = {"configuring", "idle",    "ended",      "copied",   "sending",  "busy",
                                    "responding",  "halting", "suspending", "resuming", "resetting"};
  constexpr const char* works[] = {"idle", "reading", "copying", "programming", "erasing"};
  return state == DieMachine::State::busy ? works[static_cast<std::size_t>(work)]
                                          : states[static_cast<std::size_t>(state)];
}

void DieMachine::start_clocks(Tick now) {
  const NandCommand& last = array_.back()->command;
  suspends_ = 0;
  running_since_ = now;
  cacheable_ = last.operation == NandOperation::program && last.cache;
  cache_free_ = now + last.response_time;
}

void DieMachine::joins_operation() {
  if (!sending_.front()->command.independent) {
    cached_ = sending_.take();
    return;
  }
  array_.push(sending_.pop());
  state_ = State::busy;
}

void DieMachine::pages_copied() {
  work_ = Work::none;
  state_ = State::copied;
}

// A cached program began when the array became free, which may be earlier than now. The cache register becomes free
// tPCBSY after that time, so cache_free() may be later than the real time, but not earlier.
void DieMachine::cached_begins(Tick now) { array_starts(cached_.take(), now); }

void DieMachine::control_begins(NandOperation operation) {
  switch (operation) {
    case NandOperation::suspend: state_ = State::halting; break;
    case NandOperation::resume: state_ = State::resuming; break;
    case NandOperation::reset: state_ = State::resetting; break;
    default: state_ = State::configuring; break;
  }
}

void DieMachine::suspend_passed() {
  suspended_ = array_.take();
  work_ = Work::none;
  ++suspends_;
  state_ = State::suspending;
}

void DieMachine::resumed(Tick now) {
  array_ = suspended_.take();
  work_ = work_of(array_);
  running_since_ = now;
  state_ = State::busy;
}

void DieMachine::work_dropped() {
  work_ = Work::none;
  array_.clear();
  cached_.clear();
}

}  // namespace nandscape::controller
