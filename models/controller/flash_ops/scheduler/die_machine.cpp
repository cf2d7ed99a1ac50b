// SPDX-License-Identifier: Apache-2.0
#include "controller/flash_ops/scheduler/die_machine.h"

#include <utility>

namespace nandscape::controller {

const char* name_of(DieMachine::State state, DieMachine::Work work) {
  constexpr const char* states[] = {"configuring", "idle",    "ended",      "copied",   "sending",  "busy",
                                    "responding",  "halting", "suspending", "resuming", "resetting"};
  constexpr const char* works[] = {"idle", "reading", "copying", "programming", "erasing"};
  return state == DieMachine::State::busy ? works[static_cast<std::size_t>(work)]
                                          : states[static_cast<std::size_t>(state)];
}

void DieMachine::start_clocks(Tick now) {
  const NandCommand& last = array_.ops.back()->command;
  array_.suspends = 0;
  array_.running_since = now;
  array_.cacheable = last.operation == NandOperation::program && last.cache;
  array_.cache_free = now + last.response_time;
}

void DieMachine::page_copied(FlashOp& copyback) {
  array_.work = Work::none;
  copied_ = &copyback;
  state_ = State::copied;
}

// A cached program began when the array became free, which may be earlier than now. The cache register becomes free
// tPCBSY after that time, so `cache_free` may be later than the real time, but not earlier.
void DieMachine::cached_begins(Tick now) {
  array_.work = std::exchange(cached_.work, Work::none);
  array_.ops = cached_.ops.take();
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
  suspended_ = array_;
  clear(array_);
  ++suspended_.suspends;
  state_ = State::suspending;
}

void DieMachine::resumed(Tick now) {
  array_ = suspended_;
  clear(suspended_);
  array_.running_since = now;
  state_ = State::busy;
}

void DieMachine::work_dropped() {
  clear(array_);
  clear(cached_);
}

}  // namespace nandscape::controller
