// SPDX-License-Identifier: Apache-2.0
// Drives the calendar from SystemC: an SC_METHOD runs the calendar's events ahead of SystemC's time, and sleeps until
// the time of the next event. Foreign modules are modules that call blocks from their own SystemC processes. The
// calendar runs ahead by at most the smallest of these times: the quantum, SystemC's global quantum (if set), and the
// lookaheads of the foreign modules. Results do not depend on this distance.
//
// Without foreign modules, a run ends when no event is left. With foreign modules, SystemC continues while they have
// work, and a watchdog ends the run if they make no progress.
#pragma once

#include <algorithm>
#include <exception>
#include <functional>
#include <string>
#include <systemc>
#include <utility>

#include "core/calendar.h"

namespace nandscape {

class CalendarModule final : public sc_core::sc_module, private Calendar::Driver {
 public:
  CalendarModule(sc_core::sc_module_name name, Calendar& calendar, Tick quantum);

  // Limits the lookahead because of a foreign module, all of whose calls carry at least the delay `lookahead`.
  void limit_lookahead(Tick lookahead) { quantum_ = std::min(quantum_, lookahead); }

  // The work of the foreign modules: `goes_on` returns whether they have work, and `what` returns a description of it.
  // The calendar asks when no event is left. If they have work, or if the calendar is held, but no module makes a call
  // during `watchdog`, run() ends with a ProtocolError.
  struct ForeignWork {
    std::function<bool()> goes_on;
    std::function<std::string()> what;
    Tick watchdog = 50 * millisecond;
  };
  void share_time(ForeignWork work) { foreign_ = std::move(work); }

  // A function that is called between spans of events, every few milliseconds of wall time unless a single event takes
  // longer. If it returns false, run() ends.
  using Watch = std::function<bool()>;
  void set_watch(Watch watch) { watch_ = std::move(watch); }

  // A function that runs the spans of events. By default, they run where SystemC has called the module. A simulation
  // without foreign modules, whose events therefore use nothing from SystemC, can run them without holding SystemC's
  // lock, so that other threads can simulate at the same time.
  using Surroundings = std::function<void(const std::function<void()>& span)>;
  void set_surroundings(Surroundings surroundings) { surroundings_ = std::move(surroundings); }

  // Runs the simulation up to and including the time `limit`. Returns earlier if no event is left or expected, if the
  // calendar is stopped, or if the watch ends the run. Afterwards the clock is at `limit` if the run reached this time,
  // and otherwise at the last event. A direct call of sc_start() behaves as SystemC defines it.
  void run(Tick limit);
  // Kills all threads and other processes of the simulation, so that objects on their stacks are destroyed while the
  // blocks still exist. Call it before the blocks are destroyed; run() must not be called afterwards. After a SystemC
  // error this function does nothing, since the threads cannot be resumed.
  void kill_processes();

  // Returns whether an event or a process of a foreign module has thrown an exception. rethrow() throws this exception
  // once.
  bool failed() const { return error_ != nullptr; }
  void rethrow();

 private:
  void drive();
  bool run_events(Tick end);
  void run_span(Tick end);
  // Called when the calendar has no event up to the limit. Decides whether SystemC waits or the run ends.
  void rest(Tick here);
  [[noreturn]] void bark() const;
  Tick lookahead() const;
  void start();
  void kill_others();
  void wake(Tick at) override;

  Calendar& calendar_;
  Tick quantum_;
  bool in_run_ = false;  // SystemC runs on behalf of run()
  bool ending_ = false;  // SystemC runs on behalf of kill_processes()
  Tick limit_ = never;
  // The simulated time between two calls of the watch. It is adapted so that the watch is called every few milliseconds
  // of wall time.
  Tick span_;
  Watch watch_;
  Surroundings surroundings_;
  sc_core::sc_event wake_;
  std::exception_ptr error_;
  ForeignWork foreign_;  // goes_on is empty if there are no foreign modules
};

}  // namespace nandscape
