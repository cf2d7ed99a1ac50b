// SPDX-License-Identifier: Apache-2.0
#include "ecc/engine_module.h"

#include <utility>

#include "protocol/simulated_time.h"

namespace nandscape::ecc {

EccEngineModule::EccEngineModule(sc_core::sc_module_name name, Calendar& calendar, std::span<const PageCode> codes,
                                 const CodeParameters& hardware, std::unique_ptr<PageCoder> coder)
    : sc_module(name),
      calendar_(calendar),
      engine_(codes, hardware, std::move(coder)),
      decoder_(*this, "decode_socket"),
      encoder_(*this, "encode_socket") {}

EccEngineModule::Side::Side(EccEngineModule& owner, const char* name) : module(owner), socket(name) {
  socket.bind(static_cast<JobForward<EccJob>&>(*this));
}

tlm::tlm_sync_enum EccEngineModule::Side::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                          sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_REQ) return tlm::TLM_COMPLETED;
  const Tick now = call_time(module.calendar_, delay);
  const EccJob& job = job_of<EccJob>(payload);
  const Tick room = module.engine_.room(job.kind, now, job.code);
  if (room > now) {
    module.calendar_.schedule<&Side::end_request>(room, *this, payload);
    return tlm::TLM_ACCEPTED;
  }
  accept(payload, now);
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

void EccEngineModule::Side::accept(tlm::tlm_generic_payload& payload, Tick now) {
  const Tick done = module.engine_.accept(job_of<EccJob>(payload), now);
  module.calendar_.schedule<&Side::respond>(done, *this, payload);
}

void EccEngineModule::Side::end_request(tlm::tlm_generic_payload& payload) {
  accept(payload, module.calendar_.now());
  send_back(payload, tlm::END_REQ);
}

void EccEngineModule::Side::respond(tlm::tlm_generic_payload& payload) { send_back(payload, tlm::BEGIN_RESP); }

void EccEngineModule::Side::send_back(tlm::tlm_generic_payload& payload, tlm::tlm_phase phase) {
  sc_core::sc_time delay = annotated_delay(module.calendar_);
  socket->nb_transport_bw(payload, phase, delay);
}

void EccEngineModule::Side::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const Tick now = call_time(module.calendar_, delay);
  EccJob& job = job_of<EccJob>(payload);
  const Tick accepted = module.engine_.room(job.kind, now, job.code);
  delay += to_sc_time(module.engine_.accept(job, accepted) - now);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

}  // namespace nandscape::ecc
