// SPDX-License-Identifier: Apache-2.0
// Pins change at SystemC's time. A calendar that runs ahead of SystemC would miss the changes in between.
#pragma once

#include <algorithm>
#include <string>

#include "core/calendar.h"
#include "core/error.h"
#include "protocol/simulated_time.h"

namespace nandscape::rtl::onfi {

// Returns the time for the event that handles a changed pin. This is SystemC's time, unless the calendar has run ahead.
inline Tick pin_time(const Calendar& calendar) { return std::max(kernel_time(calendar), calendar.now()); }

// Call this function in each event that reads or writes pins. Throws ProtocolError if the calendar has run ahead of
// SystemC.
inline void check_pin_time(const Calendar& calendar, const char* module) {
  if (calendar.now() == kernel_time(calendar)) [[likely]]
    return;
  throw ProtocolError(std::string(module) + ": the calendar is at " + std::to_string(us_from_ticks(calendar.now())) +
                      " us, but SystemC, whose time the pins follow, is at " +
                      std::to_string(us_from_ticks(kernel_time(calendar))) +
                      " us: call CalendarModule::limit_lookahead(0)");
}

}  // namespace nandscape::rtl::onfi
