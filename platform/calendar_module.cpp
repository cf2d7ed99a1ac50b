// SPDX-License-Identifier: Apache-2.0
#include "platform/calendar_module.h"

#include <algorithm>
#include <utility>

#include "protocol/simulated_time.h"

namespace nandscape {

CalendarModule::CalendarModule(sc_core::sc_module_name name, Calendar& calendar, Tick quantum)
    : sc_module(name), calendar_(calendar), quantum_(quantum) {
  SC_HAS_PROCESS(CalendarModule);
  SC_METHOD(drive);
  sensitive << wake_;
  calendar_.set_driver(this);
}

void CalendarModule::drive() {
  const Tick here = to_ticks(sc_core::sc_time_stamp());
  calendar_.set_kernel_time(here);
  try {
    calendar_.run_until(std::min(here + quantum_, limit_));
  } catch (...) {
    // An exception that leaves a process kills the whole context; this way it can be reported and cleaned up after.
    error_ = std::current_exception();
    calendar_.stop();
  }
  const bool wanted = !watch_ || watch_();
  if (!wanted || calendar_.stopped() || calendar_.empty() || calendar_.next_time() > limit_) {
    sc_core::sc_pause();
  } else {
    next_trigger(to_sc_time(calendar_.next_time() - here), wake_);
  }
}

void CalendarModule::run(Tick limit) {
  limit_ = limit;
  wake_.notify(sc_core::SC_ZERO_TIME);
  sc_core::sc_start();
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
