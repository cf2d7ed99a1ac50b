// SPDX-License-Identifier: Apache-2.0
#include "processor.h"

#include <cstring>
#include <string>

#include "core/error.h"

std::uint64_t Processor::read(std::uint32_t offset, std::uint32_t bytes) {
  unsigned char data[8] = {};
  access(offset, bytes, data, tlm::TLM_READ_COMMAND);
  std::uint64_t value = 0;
  std::memcpy(&value, data, bytes);
  return value;
}

void Processor::write(std::uint32_t offset, std::uint64_t value, std::uint32_t bytes) {
  unsigned char data[8];
  std::memcpy(data, &value, bytes);
  access(offset, bytes, data, tlm::TLM_WRITE_COMMAND);
}

void Processor::fill(Payload& payload, std::uint32_t offset, std::uint32_t bytes, unsigned char* data,
                     tlm::tlm_command command) {
  payload.set_command(command);
  payload.set_address(offset);
  payload.set_data_ptr(data);
  payload.set_data_length(bytes);
  payload.set_streaming_width(bytes);
  payload.set_byte_enable_ptr(nullptr);
  payload.set_dmi_allowed(false);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

void Processor::check(const Payload& payload) {
  if (payload.is_response_ok()) return;
  throw nandscape::ProtocolError("register access at " + std::to_string(payload.get_address()) + ": " +
                                 payload.get_response_string());
}

tlm::tlm_sync_enum Processor::nb_transport_bw(Payload&, tlm::tlm_phase&, sc_core::sc_time&) {
  return tlm::TLM_ACCEPTED;
}

// ---- by phases

void ApproximatelyTimed::access(std::uint32_t offset, std::uint32_t bytes, unsigned char* data,
                                tlm::tlm_command command) {
  fill(payload_, offset, bytes, data, command);
  payload_.acquire();
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay;
  switch (socket->nb_transport_fw(payload_, phase, delay)) {
    case tlm::TLM_COMPLETED: wait(delay); break;
    case tlm::TLM_UPDATED:
      if (phase == tlm::BEGIN_RESP) response_.notify(delay);
      [[fallthrough]];
    case tlm::TLM_ACCEPTED:
      wait(response_);
      phase = tlm::END_RESP;
      delay = sc_core::SC_ZERO_TIME;
      socket->nb_transport_fw(payload_, phase, delay);
      break;
  }
  check(payload_);
  payload_.release();
}

tlm::tlm_sync_enum ApproximatelyTimed::nb_transport_bw(Payload&, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase == tlm::BEGIN_RESP) response_.notify(delay);
  return tlm::TLM_ACCEPTED;
}

// ---- by blocking calls

void LooselyTimed::spend(const sc_core::sc_time& time) {
  keeper_.inc(time);
  if (keeper_.need_sync()) keeper_.sync();
}

void LooselyTimed::access(std::uint32_t offset, std::uint32_t bytes, unsigned char* data, tlm::tlm_command command) {
  Payload payload;
  fill(payload, offset, bytes, data, command);
  sc_core::sc_time delay = keeper_.get_local_time();
  socket->b_transport(payload, delay);
  check(payload);
  keeper_.set(delay);  // `delay` has become shorter if the target has waited
  if (keeper_.need_sync()) keeper_.sync();
}
