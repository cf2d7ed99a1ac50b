// SPDX-License-Identifier: Apache-2.0
#include "protocol/entry_time.h"

#include <sstream>

namespace nandscape {

namespace {

// Returns the process that is being executed, or an invalid handle if there is none. While its context does not run,
// SystemC would return the process that was created last, which may belong to another simulation.
sc_core::sc_process_handle current_process() {
  return sc_core::sc_is_running() ? sc_core::sc_get_current_process_handle() : sc_core::sc_process_handle();
}

}  // namespace

bool in_waiting_process() {
  const sc_core::sc_process_handle process = current_process();
  return process.valid() &&
         (process.proc_kind() == sc_core::SC_THREAD_PROC_ || process.proc_kind() == sc_core::SC_CTHREAD_PROC_);
}

bool in_method_process() {
  const sc_core::sc_process_handle process = current_process();
  return process.valid() && process.proc_kind() == sc_core::SC_METHOD_PROC_;
}

std::string calling_process() {
  const sc_core::sc_process_handle process = current_process();
  return process.valid() ? process.name() : "outside of all processes";
}

void refuse_late_call(const Calendar& calendar, Tick at, const char* socket) {
  throw ProtocolError(
      std::string(socket) + ": a call from " + calling_process() + " at " + std::to_string(us_from_ticks(at)) +
      " us comes too late, since the simulation has reached " + std::to_string(us_from_ticks(calendar.now())) +
      " us: declare a lookahead for the module that is no longer than the delays of its calls (Block::lookahead() or "
      "CalendarModule::limit_lookahead())");
}

void refuse_phase(const tlm::tlm_phase& phase, const char* socket) {
  std::ostringstream text;
  text << socket << ": phase " << phase << " is not legal here; initiators send BEGIN_REQ and END_RESP, "
       << "targets END_REQ and BEGIN_RESP";
  throw ProtocolError(text.str());
}

void refuse_payload(const char* socket) {
  throw ProtocolError(std::string(socket) +
                      ": a payload carries no job: set a JobExtension with a job (protocol/job_socket.h)");
}

}  // namespace nandscape
