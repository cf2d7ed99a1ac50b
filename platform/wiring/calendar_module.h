// SPDX-License-Identifier: Apache-2.0
// Drives the calendar from SystemC: one SC_METHOD that runs events ahead of SystemC's time and sleeps until the next
// one. It runs ahead by no more than the quantum, SystemC's own global quantum where one is set, and the least
// lookahead of the foreign modules that it was told of: those that call from processes of their own. Results do not
// depend on it.
//
// Without foreign modules a run is over when no event is left. With them SystemC goes on as long as they have work, and
// a watchdog ends the run when nothing comes of it.
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

  // All calls from the processes of a foreign module carry at least that delay.
  void limit_lookahead(Tick lookahead) { quantum_ = std::min(quantum_, lookahead); }

  // What is asked of the foreign modules while no event is left: whether they have work, and which. When they have, or
  // somebody holds the calendar, and none of them calls for as long as `watchdog`, run() ends with a ProtocolError.
  struct ForeignWork {
    std::function<bool()> goes_on;
    std::function<std::string()> what;
    Tick watchdog = 50 * millisecond;
  };
  void share_time(ForeignWork work) { foreign_ = std::move(work); }

  // Called between the spans of events that are run at once, every few milliseconds of wall time if no single event
  // takes longer; returning false ends run().
  using Watch = std::function<bool()>;
  void set_watch(Watch watch) { watch_ = std::move(watch); }

  // Runs the simulation up to and including `limit`, or until no event is left or expected, the calendar is stopped, or
  // the watch ends it. Within the limit the clock stands at the last event that was run, else at the limit. Who calls
  // sc_start() instead runs as long as that says.
  void run(Tick limit);
  // Kills all threads of the simulation, and the processes beside them, so that what is on their stacks is destroyed
  // while the blocks are still there. To be called before these are destroyed; nothing can be run any more. After an
  // error of SystemC it does nothing: such threads cannot be resumed.
  void kill_processes();

  // What an event or a foreign process threw, once.
  bool failed() const { return error_ != nullptr; }
  void rethrow();

 private:
  void drive();
  bool run_events(Tick end);
  // The calendar has nothing to do by now.
  void rest(Tick here);
  [[noreturn]] void bark() const;
  Tick lookahead() const;
  void start();
  void kill_others();
  void wake(Tick at) override;

  Calendar& calendar_;
  Tick quantum_;
  bool in_run_ = false;  // SystemC runs for run()
  bool ending_ = false;  // and for kill_processes()
  Tick limit_ = never;
  Tick span_;  // of events that are run between two calls of the watch: as many as take a few milliseconds
  Watch watch_;
  sc_core::sc_event wake_;
  std::exception_ptr error_;
  ForeignWork foreign_;  // goes_on is empty when there are no foreign modules
};

}  // namespace nandscape
