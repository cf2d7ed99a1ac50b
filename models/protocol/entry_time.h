// SPDX-License-Identifier: Apache-2.0
// Determines when a call through a socket happens. A block that the calendar runs calls at the calendar's current time.
// A foreign process calls while the calendar is idle, or with an annotated delay; the call becomes an event at the
// resulting time. That time is in the calendar's past only if the calendar has run further ahead of SystemC than the
// process allows.
#pragma once

#include <string>
#include <systemc>
#include <tlm>

#include "core/error.h"
#include "protocol/job_socket.h"
#include "protocol/simulated_time.h"

namespace nandscape {

// Whether a call with this delay happens now, in an event of the calendar.
inline bool at_present(const Calendar& calendar, const sc_core::sc_time& delay) {
  return calendar.running() && calendar.kernel_time() + to_ticks(delay) == calendar.now();
}

// Whether the caller is a process that may wait, or an SC_METHOD, which may not.
bool in_waiting_process();
bool in_method_process();
// Returns the hierarchical name of the calling process.
std::string calling_process();

[[noreturn]] void refuse_late_call(const Calendar& calendar, Tick at, const char* socket);

// Returns the tick of a call. Throws ProtocolError if it is in the calendar's past.
inline Tick entry_time(const Calendar& calendar, const sc_core::sc_time& delay, const char* socket) {
  const Tick at = call_time(calendar, delay);
  if (at < calendar.now()) [[unlikely]]
    refuse_late_call(calendar, at, socket);
  return at;
}

[[noreturn]] void refuse_phase(const tlm::tlm_phase& phase, const char* socket);
[[noreturn]] void refuse_payload(const char* socket);

// Returns the job that a payload carries. Throws ProtocolError if it carries none.
template <class Job>
Job& checked_job(const tlm::tlm_generic_payload& payload, const sc_core::sc_object& socket) {
  const auto* const extension = payload.get_extension<JobExtension<Job>>();
  if (extension == nullptr || extension->job == nullptr) [[unlikely]]
    refuse_payload(socket.name());
  return *extension->job;
}

}  // namespace nandscape
