// SPDX-License-Identifier: Apache-2.0
#include "platform/wiring/calendar_module.h"

#include <algorithm>
#include <chrono>
#include <tlm>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/message_text.h"
#include "protocol/simulated_time.h"

namespace nandscape {

namespace {

constexpr Tick longest_span = millisecond;

using Processes = std::vector<sc_core::sc_process_handle>;

// Finds the processes in the hierarchy below `objects`. A spawned process is below the process that spawned it.
void find_processes(const std::vector<sc_core::sc_object*>& objects, Processes& found) {
  for (sc_core::sc_object* const object : objects) {
    if (const sc_core::sc_process_handle process(object); process.valid()) found.push_back(process);
    find_processes(object->get_child_objects(), found);
  }
}

Processes all_processes() {
  Processes found;
  find_processes(sc_core::sc_get_top_level_objects(), found);
  return found;
}

bool is_live_thread(const sc_core::sc_process_handle& process) {
  return !process.terminated() &&
         (process.proc_kind() == sc_core::SC_THREAD_PROC_ || process.proc_kind() == sc_core::SC_CTHREAD_PROC_);
}

}  // namespace

CalendarModule::CalendarModule(sc_core::sc_module_name name, Calendar& calendar, Tick quantum)
    : sc_module(name), calendar_(calendar), quantum_(quantum), span_(longest_span) {
  SC_HAS_PROCESS(CalendarModule);
  SC_METHOD(drive);
  sensitive << wake_;
  calendar_.set_driver(this);
}

void CalendarModule::drive() {
  if (ending_) return kill_others();
  const Tick here = to_ticks(sc_core::sc_time_stamp());
  calendar_.set_kernel_time(here);
  try {
    const bool wanted = run_events(std::min(here + lookahead(), limit_));
    if (in_run_ && (!wanted || calendar_.stopped())) return sc_core::sc_pause();
    if (!calendar_.empty() && calendar_.next_time() <= limit_) {
      next_trigger(to_sc_time(calendar_.next_time() - here), wake_);
    } else if (in_run_) {
      rest(here);
    }
  } catch (...) {
    // An exception that leaves a process would end the whole SystemC context, so it is stored here until rethrow() is
    // called.
    if (!in_run_) throw;
    error_ = std::current_exception();
    sc_core::sc_pause();
  }
}

void CalendarModule::rest(Tick here) {
  if (here >= limit_) return sc_core::sc_pause();
  if (!calendar_.held() && !(foreign_.goes_on && foreign_.goes_on())) {
    // If there are foreign modules, SystemC itself runs until the limit.
    if (!foreign_.goes_on || limit_ == never) sc_core::sc_pause();
    return;
  }
  const Tick bark_at = calendar_.now() + foreign_.watchdog;
  if (here >= bark_at) bark();
  // Waits in several spans, so that the watch can end the run.
  next_trigger(to_sc_time(std::min({bark_at - here, limit_ - here, longest_span})), wake_);
}

void CalendarModule::bark() const {
  throw ProtocolError("nothing has happened for " + shown(us_from_ticks(foreign_.watchdog)) +
                      " us of simulated time (simulation.blocks.watchdog_us), but blocks with SystemC processes "
                      "have work" +
                      (foreign_.what ? ":" + foreign_.what() : ""));
}

Tick CalendarModule::lookahead() const {
  const Tick global = to_ticks(tlm::tlm_global_quantum::instance().get());
  return global == 0 ? quantum_ : std::min(quantum_, global);
}

// Runs events in spans of simulated time, and calls the watch between the spans. Returns false if the watch ends the
// run.
bool CalendarModule::run_events(Tick end) {
  using Clock = std::chrono::steady_clock;
  constexpr auto too_long = std::chrono::milliseconds(4), too_short = std::chrono::milliseconds(1);
  for (;;) {
    if (!watch_) {
      run_span(end);
      return true;
    }
    const Tick next = calendar_.next_time();
    const Clock::time_point begin = Clock::now();
    run_span(next < end && end - next > span_ ? next + span_ : end);
    const Clock::duration taken = Clock::now() - begin;
    if (taken > too_long) span_ = span_ / 2 + 1;
    if (taken < too_short) span_ = std::min(2 * span_, longest_span);
    if (!watch_()) return false;
    if (calendar_.stopped() || calendar_.next_time() > end) return true;
  }
}

void CalendarModule::run_span(Tick end) {
  if (!surroundings_) return calendar_.run_until(end);
  surroundings_([this, end] { calendar_.run_until(end); });
}

void CalendarModule::run(Tick limit) {
  limit_ = limit;
  in_run_ = true;
  wake_.notify(sc_core::SC_ZERO_TIME);
  start();
  in_run_ = false;
  limit_ = never;
  if (limit != never && !calendar_.stopped() && error_ == nullptr && calendar_.next_time() > limit) {
    calendar_.advance(limit);
  }
}

// Lets drive() kill the processes. Only a process can kill other processes, and drive() does so before any other
// process runs. Exceptions that blocks throw when they end are ignored.
void CalendarModule::kill_processes() {
  const bool alive = sc_core::sc_get_status() == sc_core::SC_PAUSED &&
                     sc_core::sc_get_curr_simcontext()->sim_status() == sc_core::SC_SIM_OK;
  if (!alive || std::ranges::none_of(all_processes(), is_live_thread)) return;
  ending_ = true;
  wake_.notify();
  try {
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  } catch (const std::exception&) {
  }
}

void CalendarModule::kill_others() {
  const sc_core::sc_process_handle self = sc_core::sc_get_current_process_handle();
  for (sc_core::sc_process_handle process : all_processes()) {
    if (process != self && !process.terminated()) process.kill();
  }
}

// Runs SystemC. If there are foreign modules, it runs until the limit, or until these modules have no events left.
void CalendarModule::start() {
  if (!foreign_.goes_on) return sc_core::sc_start();
  try {
    if (limit_ == never) {
      sc_core::sc_start();
    } else {
      const Tick begin = std::min(to_ticks(sc_core::sc_time_stamp()), limit_);
      sc_core::sc_start(to_sc_time(limit_ - begin), sc_core::SC_EXIT_ON_STARVATION);
    }
  } catch (const sc_core::sc_report& report) {
    // An exception has left a process of a foreign module, and the SystemC context can no longer be used.
    error_ = std::make_exception_ptr(ProtocolError(report.what()));
    return;
  }
  const Tick here = to_ticks(sc_core::sc_time_stamp());
  if (here > calendar_.now() && calendar_.next_time() >= here) calendar_.advance(here);
}

void CalendarModule::wake(Tick at) {
  const Tick here = to_ticks(sc_core::sc_time_stamp());
  wake_.notify(to_sc_time(at > here ? at - here : 0));
}

void CalendarModule::rethrow() {
  if (error_ != nullptr) std::rethrow_exception(std::exchange(error_, nullptr));
}

}  // namespace nandscape
