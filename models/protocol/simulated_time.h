// SPDX-License-Identifier: Apache-2.0
// Conversions between the calendar's ticks and SystemC's time. The calendar may run ahead of SystemC by up to the
// global quantum; calls through a socket carry the difference as the annotated delay of TLM-2.0.
#pragma once

#include <cstring>
#include <systemc>
#include <type_traits>

#include "core/calendar.h"
#include "core/ticks.h"

namespace nandscape {

// SystemC's time resolution is left at its default of 1 ps, so that a tick is a unit of sc_time.
inline Tick to_ticks(const sc_core::sc_time& time) { return time.value(); }

// An sc_time holds only its number of units. It is written directly, since sc_time::from_value() is a call into
// SystemC's library, and several conversions are made per event.
inline sc_core::sc_time to_sc_time(Tick ticks) {
  static_assert(sizeof(sc_core::sc_time) == sizeof ticks && std::is_standard_layout_v<sc_core::sc_time>);
  sc_core::sc_time time;
  std::memcpy(static_cast<void*>(&time), &ticks, sizeof ticks);
  return time;
}

// Returns SystemC's time. While the calendar runs, it is known without a call of the kernel.
inline Tick kernel_time(const Calendar& calendar) {
  return calendar.running() ? calendar.kernel_time() : to_ticks(sc_core::sc_time_stamp());
}

// Returns the delay to annotate to a transport call made at the calendar's present.
inline sc_core::sc_time annotated_delay(const Calendar& calendar) {
  return to_sc_time(calendar.now() - kernel_time(calendar));
}

// Returns the tick at which a transport call with this annotated delay happens.
inline Tick call_time(const Calendar& calendar, const sc_core::sc_time& delay) {
  return kernel_time(calendar) + to_ticks(delay);
}

}  // namespace nandscape
