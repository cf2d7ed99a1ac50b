// SPDX-License-Identifier: Apache-2.0
// Determines the time of a call through a socket. A block that runs in the calendar makes the call at the current time
// of the calendar. An external process makes the call while the calendar is idle, or with an annotated delay. Such a
// call becomes an event at the resulting time. This time can be in the past of the calendar only if the calendar has
// run further ahead of SystemC than the process allows.
#pragma once

#include <string>
#include <systemc>
#include <tlm>

#include "core/error.h"
#include "protocol/job_socket.h"
#include "protocol/simulated_time.h"

namespace nandscape {

// Returns true if a call with this delay happens at the current time, within an event of the calendar.
inline bool at_present(const Calendar& calendar, const sc_core::sc_time& delay) {
  return calendar.running() && calendar.kernel_time() + to_ticks(delay) == calendar.now();
}

// in_waiting_process() returns true if the caller is a process that may call wait(). in_method_process() returns true
// if the caller is an SC_METHOD, which must not call wait().
bool in_waiting_process();
bool in_method_process();
// Returns the hierarchical name of the calling process.
std::string calling_process();

[[noreturn]] void refuse_late_call(const Calendar& calendar, Tick at, const char* socket);

// Returns the time of a call with this delay. Throws ProtocolError if the time is in the past of the calendar.
inline Tick entry_time(const Calendar& calendar, const sc_core::sc_time& delay, const char* socket) {
  const Tick at = call_time(calendar, delay);
  if (at < calendar.now()) [[unlikely]]
    refuse_late_call(calendar, at, socket);
  return at;
}

[[noreturn]] void refuse_phase(const tlm::tlm_phase& phase, const char* socket);
[[noreturn]] void refuse_payload(const char* socket);

// Returns the job that a payload carries. Throws ProtocolError if the payload does not carry a job.
template <class Job>
Job& checked_job(const tlm::tlm_generic_payload& payload, const sc_core::sc_object& socket) {
  const auto* const extension = payload.get_extension<JobExtension<Job>>();
  if (extension == nullptr || extension->job == nullptr) [[unlikely]]
    refuse_payload(socket.name());
  return *extension->job;
}

}  // namespace nandscape
