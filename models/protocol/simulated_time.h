// SPDX-License-Identifier: Apache-2.0
// Conversions between the calendar's ticks and SystemC's time. The calendar may run ahead of SystemC by up to the
// global quantum. A call through a socket passes the difference as the annotated delay of TLM-2.0.
#pragma once

#include <cstring>
#include <systemc>
#include <type_traits>

#include "core/calendar.h"
#include "core/ticks.h"

namespace nandscape {

// The time resolution of SystemC is left at its default of 1 ps, so that one unit of sc_time is one tick.
inline Tick to_ticks(const sc_core::sc_time& time) { return time.value(); }

// An sc_time object consists only of its number of units. The number is copied directly, because sc_time::from_value()
// is a function call into the SystemC library, and each event needs several conversions.
inline sc_core::sc_time to_sc_time(Tick ticks) {
  static_assert(sizeof(sc_core::sc_time) == sizeof ticks && std::is_standard_layout_v<sc_core::sc_time>);
  sc_core::sc_time time;
  std::memcpy(static_cast<void*>(&time), &ticks, sizeof ticks);
  return time;
}

// Returns SystemC's current time. While the calendar runs, no call of the kernel is needed for this.
inline Tick kernel_time(const Calendar& calendar) {
  return calendar.running() ? calendar.kernel_time() : to_ticks(sc_core::sc_time_stamp());
}

// Returns the delay to be passed with a transport call that is made at the current time of the calendar.
inline sc_core::sc_time annotated_delay(const Calendar& calendar) {
  return to_sc_time(calendar.now() - kernel_time(calendar));
}

// Returns the tick at which a transport call with this annotated delay happens.
inline Tick call_time(const Calendar& calendar, const sc_core::sc_time& delay) {
  return kernel_time(calendar) + to_ticks(delay);
}

}  // namespace nandscape
