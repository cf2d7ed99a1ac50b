// SPDX-License-Identifier: Apache-2.0
#include "platform/wiring/calendar_module.h"

#include <algorithm>
#include <chrono>
#include <tlm>
#include <utility>

#include "protocol/simulated_time.h"

namespace nandscape {

namespace {

constexpr Tick longest_span = millisecond;

}  // namespace

CalendarModule::CalendarModule(sc_core::sc_module_name name, Calendar& calendar, Tick quantum)
    : sc_module(name), calendar_(calendar), quantum_(quantum), span_(longest_span) {
  SC_HAS_PROCESS(CalendarModule);
  SC_METHOD(drive);
  sensitive << wake_;
  calendar_.set_driver(this);
}

void CalendarModule::drive() {
  const Tick here = to_ticks(sc_core::sc_time_stamp());
  calendar_.set_kernel_time(here);
  bool wanted = false;
  try {
    wanted = run_events(std::min(here + lookahead(), limit_));
  } catch (...) {
    // An exception that leaves a process kills the whole context; this way it can be reported and cleaned up after.
    if (!in_run_) throw;
    error_ = std::current_exception();
  }
  const Tick next = std::min(calendar_.next_time(), limit_);
  const bool idle = calendar_.empty() || calendar_.next_time() > limit_;
  const bool rests = calendar_.stopped() || (idle && (!calendar_.expecting() || here >= limit_));
  if (in_run_ && (!wanted || rests)) {
    sc_core::sc_pause();
  } else if (!rests && next != never) {  // else what is expected wakes it
    next_trigger(to_sc_time(next - here), wake_);
  }
}

Tick CalendarModule::lookahead() const {
  const Tick global = to_ticks(tlm::tlm_global_quantum::instance().get());
  return global == 0 ? quantum_ : std::min(quantum_, global);
}

// In spans, between which the watch is asked; false when it ends the run.
bool CalendarModule::run_events(Tick end) {
  using Clock = std::chrono::steady_clock;
  constexpr auto too_long = std::chrono::milliseconds(4), too_short = std::chrono::milliseconds(1);
  for (;;) {
    if (!watch_) {
      calendar_.run_until(end);
      return true;
    }
    const Tick next = calendar_.next_time();
    const Clock::time_point begin = Clock::now();
    calendar_.run_until(next < end && end - next > span_ ? next + span_ : end);
    const Clock::duration taken = Clock::now() - begin;
    if (taken > too_long) span_ = span_ / 2 + 1;
    if (taken < too_short) span_ = std::min(2 * span_, longest_span);
    if (!watch_()) return false;
    if (calendar_.stopped() || calendar_.next_time() > end) return true;
  }
}

void CalendarModule::run(Tick limit) {
  limit_ = limit;
  in_run_ = true;
  wake_.notify(sc_core::SC_ZERO_TIME);
  sc_core::sc_start();
  in_run_ = false;
  limit_ = never;
  if (limit != never && !calendar_.stopped() && error_ == nullptr && calendar_.next_time() > limit) {
    calendar_.advance(limit);
  }
}

void CalendarModule::wake(Tick at) {
  const Tick here = to_ticks(sc_core::sc_time_stamp());
  wake_.notify(to_sc_time(at > here ? at - here : 0));
}

void CalendarModule::rethrow() {
  if (error_ != nullptr) std::rethrow_exception(std::exchange(error_, nullptr));
}

}  // namespace nandscape
