// SPDX-License-Identifier: Apache-2.0
#include "protocol/access_port.h"

#include <algorithm>
#include <string>

namespace nandscape {

Tick AccessCallers::wait(Payload& payload) {
  Blocking call{&payload, 0, {}};
  blocking_.push_back(&call);
  sc_core::wait(call.over);
  return call.end;
}

void AccessCallers::end(Payload& payload, Tick at) {
  const auto found = std::ranges::find(blocking_, &payload, &Blocking::payload);
  if (found == blocking_.end()) {
    calendar_.schedule<&AccessCallers::respond>(at, *this, payload);
    return;
  }
  Blocking& call = **found;
  blocking_.erase(found);
  call.end = at;
  call.over.notify(annotated_delay(calendar_));
}

void AccessCallers::respond(Payload& payload) {
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay = annotated_delay(calendar_);
  const tlm::tlm_sync_enum answer = backward_->nb_transport_bw(payload, phase, delay);
  const bool over = answer == tlm::TLM_COMPLETED || (answer == tlm::TLM_UPDATED && phase == tlm::END_RESP);
  if (over) payload.release();  // otherwise released at END_RESP
}

void AccessCallers::refuse_to_wait(const char* socket) {
  throw ProtocolError(std::string(socket) + ": the target waits in b_transport, and is called from " +
                      calling_process() + ", which is not an SC_THREAD");
}

}  // namespace nandscape
