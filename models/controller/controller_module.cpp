// SPDX-License-Identifier: Apache-2.0
#include "controller/controller_module.h"

#include "protocol/simulated_time.h"

namespace nandscape::controller {

ControllerModule::ControllerModule(sc_core::sc_module_name name, const ControllerParameters& parameters,
                                   const Geometry& geometry, const DataPath& path, std::uint64_t seed,
                                   Calendar& calendar, StartUp start_up)
    : sc_module(name),
      calendar_(calendar),
      codes_(path.codes),
      engines_(path.engines),
      ftl_(parameters, geometry, path, seed, calendar, *this, *this, start_up) {
  for (std::uint32_t channel = 0; channel < geometry.channels; ++channel) {
    const std::string socket = "channel_socket_" + std::to_string(channel);
    channels_.push_back(std::make_unique<ChannelSide>(*this, channel, socket.c_str()));
  }
  for (std::uint32_t engine = 0; engine < path.engine_count(); ++engine) {
    const std::string number = std::to_string(engine);
    decoders_.push_back(std::make_unique<EngineSide>(*this, ("decode_socket_" + number).c_str()));
    encoders_.push_back(std::make_unique<EngineSide>(*this, ("encode_socket_" + number).c_str()));
  }
}

ControllerModule::ChannelSide::ChannelSide(ControllerModule& owner, std::uint32_t number, const char* name)
    : module(owner), channel(number), socket(name) {
  socket.bind(*this);
}

ControllerModule::EngineSide::EngineSide(ControllerModule& owner, const char* name) : module(owner), socket(name) {
  socket.bind(*this);
}

void ControllerModule::begin_request(ChannelId channel, NandCommand& command) {
  // A command keeps the payload it gets for its first trip, and travels with it again.
  if (command.payload == nullptr) command.payload = &commands_.acquire(command);
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = annotated_delay(calendar_);
  channels_[channel.value]->socket->nb_transport_fw(*command.payload, phase, delay);
}

void ControllerModule::end_response(ChannelId channel, NandCommand& command) {
  tlm::tlm_phase phase = tlm::END_RESP;
  sc_core::sc_time delay = annotated_delay(calendar_);
  channels_[channel.value]->socket->nb_transport_fw(*command.payload, phase, delay);
}

void ControllerModule::submit(ChannelId channel, EccJob& job) {
  std::size_t engine = 0;
  const std::uint32_t group = codes_[job.code].engines;
  for (std::uint32_t k = 0; k < group; ++k) engine += engines_[k].engines();
  if (job.kind == EccKind::decode) {
    decoders_[engine + channel.value % engines_[group].decoders]->submit(job);
  } else {
    encoders_[engine + channel.value % engines_[group].encoders]->submit(job);
  }
}

void ControllerModule::EngineSide::submit(EccJob& job) {
  job.next = nullptr;
  (first == nullptr ? first : last->next) = &job;
  last = &job;
  if (!requesting) send_waiting();
}

void ControllerModule::EngineSide::send_waiting() {
  while (first != nullptr && !requesting) {
    EccJob& job = *first;
    first = job.next;
    tlm::tlm_generic_payload& payload = module.jobs_.acquire(job);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = annotated_delay(module.calendar_);
    requesting = true;
    if (socket->nb_transport_fw(payload, phase, delay) == tlm::TLM_UPDATED) requesting = false;
  }
}

tlm::tlm_sync_enum ControllerModule::ChannelSide::nb_transport_bw(tlm::tlm_generic_payload& payload,
                                                                  tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  const Tick now = call_time(module.calendar_, delay);
  NandCommand& command = job_of<NandCommand>(payload);
  if (phase == tlm::END_REQ) {
    module.ftl_.scheduler().request_ended(channel, command, now);
    return tlm::TLM_ACCEPTED;
  }
  // BEGIN_RESP. Some commands have no response to wait for, nor has what a reset has aborted.
  const bool completed = answered_at_once(command.operation) || command.status == NandStatus::aborted;
  module.ftl_.scheduler().response_begins(channel, command, now);
  return completed ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
}

tlm::tlm_sync_enum ControllerModule::EngineSide::nb_transport_bw(tlm::tlm_generic_payload& payload,
                                                                 tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase == tlm::END_REQ) {
    requesting = false;
    send_waiting();
    return tlm::TLM_ACCEPTED;
  }
  const Tick now = call_time(module.calendar_, delay);
  EccJob& job = job_of<EccJob>(payload);
  static_cast<FlashOp*>(job.owner)->coded(now);
  // Not before: what the controller sends from there must not travel with a payload that is still on its way back.
  payload.release();
  return tlm::TLM_COMPLETED;
}

}  // namespace nandscape::controller
