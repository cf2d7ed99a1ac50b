// SPDX-License-Identifier: Apache-2.0
// Pins move at SystemC's time. A calendar that has run ahead of it cannot have seen what they do in the meantime.
#pragma once

#include <algorithm>
#include <string>

#include "core/calendar.h"
#include "core/error.h"
#include "protocol/simulated_time.h"

namespace nandscape::rtl::onfi {

// When an event for a pin that has moved is to run: now, unless the calendar is ahead.
inline Tick pin_time(const Calendar& calendar) { return std::max(kernel_time(calendar), calendar.now()); }

// In an event that reads or writes pins. Throws ProtocolError when the calendar has run ahead.
inline void check_pin_time(const Calendar& calendar, const char* module) {
  if (calendar.now() == kernel_time(calendar)) [[likely]]
    return;
  throw ProtocolError(std::string(module) + ": the calendar is at " + std::to_string(us_from_ticks(calendar.now())) +
                      " us, and SystemC, at whose time pins move, at " +
                      std::to_string(us_from_ticks(kernel_time(calendar))) +
                      " us: call CalendarModule::limit_lookahead(0)");
}

}  // namespace nandscape::rtl::onfi
