// SPDX-License-Identifier: Apache-2.0
// Drives the calendar from SystemC: an SC_METHOD runs events ahead of SystemC's time and sleeps until the next one. It
// runs ahead by at most the least of the quantum, SystemC's global quantum (if set), and the lookaheads of the foreign
// modules, which call from their own processes. Results do not depend on this distance.
//
// Without foreign modules, a run ends when no event is left. With them, SystemC continues while they have work, and a
// watchdog ends the run if they make no progress.
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

  // Limits the lookahead to that of a foreign module: all calls from its processes carry at least that delay.
  void limit_lookahead(Tick lookahead) { quantum_ = std::min(quantum_, lookahead); }

  // The state of the foreign modules, used while no event is left: whether they have work, and a description of it. If
  // they have work, or the calendar is held, but none of them makes a call during `watchdog`, run() ends with a
  // ProtocolError.
  struct ForeignWork {
    std::function<bool()> goes_on;
    std::function<std::string()> what;
    Tick watchdog = 50 * millisecond;
  };
  void share_time(ForeignWork work) { foreign_ = std::move(work); }

  // Called between spans of events, every few milliseconds of wall time if no single event takes longer. Returning
  // false ends run().
  using Watch = std::function<bool()>;
  void set_watch(Watch watch) { watch_ = std::move(watch); }

  // Runs the simulation up to and including `limit`, or until no event is left or expected, the calendar is stopped, or
  // the watch ends it. Afterwards the clock is at `limit` if the run reached it, otherwise at the last event. A direct
  // call of sc_start() behaves as SystemC defines it.
  void run(Tick limit);
  // Kills all threads and other processes of the simulation, so that objects on their stacks are destroyed while the
  // blocks still exist. Call it before the blocks are destroyed; run() must not be called afterwards. After a SystemC
  // error it does nothing, since the threads cannot be resumed.
  void kill_processes();

  // Whether an event or a foreign process threw; rethrow() throws that exception once.
  bool failed() const { return error_ != nullptr; }
  void rethrow();

 private:
  void drive();
  bool run_events(Tick end);
  // Called when the calendar has no event within the limit.
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
  Tick span_;  // simulated time between two calls of the watch; adapted to a few milliseconds of wall time
  Watch watch_;
  sc_core::sc_event wake_;
  std::exception_ptr error_;
  ForeignWork foreign_;  // goes_on is empty if there are no foreign modules
};

}  // namespace nandscape
