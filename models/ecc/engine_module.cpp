// SPDX-License-Identifier: Apache-2.0
#include "ecc/engine_module.h"

#include "protocol/simulated_time.h"

namespace nandscape {

EccEngineModule::EccEngineModule(sc_core::sc_module_name name, Calendar& calendar, const EccParameters& parameters)
    : sc_module(name), socket("socket"), calendar_(calendar), engine_(parameters) {
  socket.bind(static_cast<JobForward<EccJob>&>(*this));
}

tlm::tlm_sync_enum EccEngineModule::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                    sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_REQ) return tlm::TLM_COMPLETED;
  const Tick done = engine_.accept(job_of<EccJob>(payload), call_time(calendar_, delay));
  calendar_.schedule<&EccEngineModule::respond>(done, *this, reinterpret_cast<std::uint64_t>(&payload));
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

void EccEngineModule::respond(std::uint64_t payload) {
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay = annotated_delay(calendar_);
  socket->nb_transport_bw(*reinterpret_cast<tlm::tlm_generic_payload*>(payload), phase, delay);
}

void EccEngineModule::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const Tick now = call_time(calendar_, delay);
  delay += to_sc_time(engine_.accept(job_of<EccJob>(payload), now) - now);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

}  // namespace nandscape
