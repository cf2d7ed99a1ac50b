// SPDX-License-Identifier: Apache-2.0
// Drives the calendar from SystemC: one SC_METHOD that runs all events up to the global quantum ahead of SystemC's time
// and sleeps until the next one.
#pragma once

#include <exception>
#include <systemc>

#include "core/calendar.h"

namespace nandscape {

class CalendarModule final : public sc_core::sc_module, private Calendar::Driver {
 public:
  CalendarModule(sc_core::sc_module_name name, Calendar& calendar, Tick quantum);

  // Runs no event after this time.
  void set_limit(Tick limit) { limit_ = limit; }
  // Goes on after a pause.
  void wake_up() { wake_.notify(sc_core::SC_ZERO_TIME); }
  // What an event threw, once.
  void rethrow();

 private:
  void drive();
  void wake(Tick at) override;

  Calendar& calendar_;
  Tick quantum_;
  Tick limit_ = never;
  sc_core::sc_event wake_;
  std::exception_ptr error_;
};

}  // namespace nandscape
