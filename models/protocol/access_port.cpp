// SPDX-License-Identifier: Apache-2.0
#include "protocol/access_port.h"

#include <algorithm>
#include <string>

#include "protocol/entry_time.h"

namespace nandscape {

void AccessPort::b_transport(Payload& payload, sc_core::sc_time& delay) {
  // While the calendar runs, no process does that could wait.
  if (calendar_.running() || !in_waiting_process()) [[likely]] {
    const Tick at = entry_time(calendar_, delay, name_);
    const Tick end = owner_.access(payload, at);
    if (end == never) [[unlikely]] {
      throw ProtocolError(std::string(name_) + ": the target waits in b_transport, and is called from " +
                          calling_process() + ", which is no SC_THREAD");
    }
    delay += to_sc_time(end - at);
    return;
  }
  Blocking call{&payload, 0, {}};
  blocking_.push_back(&call);
  calendar_.schedule<&AccessPort::begin>(entry_time(calendar_, delay, name_), *this, payload);
  sc_core::wait(call.over);
  delay = to_sc_time(call.end) - sc_core::sc_time_stamp();
}

tlm::tlm_sync_enum AccessPort::nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase == tlm::END_RESP) {
    payload.release();
    return tlm::TLM_COMPLETED;
  }
  if (phase != tlm::BEGIN_REQ) refuse_phase(phase, name_);
  if (at_present(calendar_, delay)) {
    const Tick end = owner_.access(payload, calendar_.now());
    if (end != never) {
      delay += to_sc_time(end - calendar_.now());
      return tlm::TLM_COMPLETED;
    }
    payload.acquire();
  } else {
    payload.acquire();
    calendar_.schedule<&AccessPort::begin>(entry_time(calendar_, delay, name_), *this, payload);
  }
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

void AccessPort::begin(Payload& payload) {
  const Tick at = owner_.access(payload, calendar_.now());
  if (at != never) end(payload, at);
}

void AccessPort::end(Payload& payload, Tick at) {
  const auto found = std::ranges::find(blocking_, &payload, &Blocking::payload);
  if (found == blocking_.end()) {
    calendar_.schedule<&AccessPort::respond>(at, *this, payload);
    return;
  }
  Blocking& call = **found;
  blocking_.erase(found);
  call.end = at;
  call.over.notify(annotated_delay(calendar_));
}

void AccessPort::respond(Payload& payload) {
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay = annotated_delay(calendar_);
  const tlm::tlm_sync_enum answer = backward_->nb_transport_bw(payload, phase, delay);
  const bool over = answer == tlm::TLM_COMPLETED || (answer == tlm::TLM_UPDATED && phase == tlm::END_RESP);
  if (over) payload.release();  // else with END_RESP
}

}  // namespace nandscape
