// SPDX-License-Identifier: Apache-2.0
// Between the calendar's ticks and SystemC's time. The calendar may run ahead of SystemC by up to the global quantum;
// what a block calls through a socket in the meantime carries the difference as the annotated delay of TLM-2.0.
#pragma once

#include <cstring>
#include <systemc>
#include <type_traits>

#include "core/calendar.h"
#include "core/ticks.h"

namespace nandscape {

// SystemC's resolution is left at its default of 1 ps, so that a tick is a unit of sc_time.
inline Tick to_ticks(const sc_core::sc_time& time) { return time.value(); }

// An sc_time is its count of units and nothing else. It is written directly, since sc_time::from_value() is a call into
// SystemC's library and several of them are made per event.
inline sc_core::sc_time to_sc_time(Tick ticks) {
  static_assert(sizeof(sc_core::sc_time) == sizeof ticks && std::is_standard_layout_v<sc_core::sc_time>);
  sc_core::sc_time time;
  std::memcpy(static_cast<void*>(&time), &ticks, sizeof ticks);
  return time;
}

// SystemC's time. While the calendar runs it is known without asking the kernel.
inline Tick kernel_time(const Calendar& calendar) {
  return calendar.running() ? calendar.kernel_time() : to_ticks(sc_core::sc_time_stamp());
}

// The delay to annotate to a transport call made at the calendar's present.
inline sc_core::sc_time annotated_delay(const Calendar& calendar) {
  return to_sc_time(calendar.now() - kernel_time(calendar));
}

// The tick at which a transport call with this annotated delay happens.
inline Tick call_time(const Calendar& calendar, const sc_core::sc_time& delay) {
  return kernel_time(calendar) + to_ticks(delay);
}

}  // namespace nandscape
