// SPDX-License-Identifier: Apache-2.0
#include "protocol/entry_time.h"

#include <sstream>

namespace nandscape {

bool in_waiting_process() {
  const sc_core::sc_process_handle process = sc_core::sc_get_current_process_handle();
  return process.valid() &&
         (process.proc_kind() == sc_core::SC_THREAD_PROC_ || process.proc_kind() == sc_core::SC_CTHREAD_PROC_);
}

bool in_method_process() {
  const sc_core::sc_process_handle process = sc_core::sc_get_current_process_handle();
  return process.valid() && process.proc_kind() == sc_core::SC_METHOD_PROC_;
}

std::string calling_process() {
  const sc_core::sc_process_handle process = sc_core::sc_get_current_process_handle();
  return process.valid() ? process.name() : "outside of all processes";
}

void refuse_late_call(const Calendar& calendar, Tick at, const char* socket) {
  throw ProtocolError(
      std::string(socket) + ": a call from " + calling_process() + " at " + std::to_string(us_from_ticks(at)) +
      " us comes too late, since the simulation has gone on to " + std::to_string(us_from_ticks(calendar.now())) +
      " us: tell the platform of the module, with a lookahead no longer than the delays that its calls carry");
}

void refuse_phase(const tlm::tlm_phase& phase, const char* socket) {
  std::ostringstream text;
  text << socket << ": phase " << phase << " has no place here; a partner's are BEGIN_REQ and END_RESP on the way to a "
       << "target, END_REQ and BEGIN_RESP on the way back";
  throw ProtocolError(text.str());
}

void refuse_payload(const char* socket) {
  throw ProtocolError(std::string(socket) +
                      ": a payload comes without its job: set a JobExtension with a job (protocol/job_socket.h)");
}

}  // namespace nandscape
