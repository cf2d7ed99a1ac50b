// SPDX-License-Identifier: Apache-2.0
#include "register_access.h"

#include <limits>

namespace {

bool enabled(const tlm::tlm_generic_payload& payload, unsigned int byte) {
  const unsigned char* const enables = payload.get_byte_enable_ptr();
  return enables == nullptr || enables[byte % payload.get_byte_enable_length()] == TLM_BYTE_ENABLED;
}

// Returns the index, within its word, of the first byte that the transaction accesses.
unsigned int lane_of(const tlm::tlm_generic_payload& payload) {
  return static_cast<unsigned int>(payload.get_address() % axi_word_bytes);
}

}  // namespace

bool to_axi(tlm::tlm_generic_payload& payload, AxiLiteAccess& access) {
  const unsigned int length = payload.get_data_length();
  const unsigned int lane = lane_of(payload);
  if (!payload.is_read() && !payload.is_write()) {
    payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    return false;
  }
  const bool whole_lanes = (length == 1 || length == 2 || length == 4) && lane % length == 0;
  if (!whole_lanes || payload.get_streaming_width() < length) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return false;
  }
  if (payload.get_address() > std::numeric_limits<std::uint32_t>::max()) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return false;
  }
  access = {.write = payload.is_write(), .address = static_cast<std::uint32_t>(payload.get_address() - lane)};
  if (!access.write) return true;
  access.strobes = 0;
  for (unsigned int k = 0; k < length; ++k) {
    access.data |= std::uint32_t{payload.get_data_ptr()[k]} << 8 * (lane + k);
    if (enabled(payload, k)) access.strobes |= static_cast<std::uint8_t>(1 << (lane + k));
  }
  return true;
}

void end_transaction(tlm::tlm_generic_payload& payload, const AxiLiteAccess& access) {
  switch (access.response) {
    case AxiResponse::okay: break;
    case AxiResponse::decerr: return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    default: return payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  if (access.write) return;
  const unsigned int lane = lane_of(payload);
  for (unsigned int k = 0; k < payload.get_data_length(); ++k) {
    if (enabled(payload, k)) payload.get_data_ptr()[k] = static_cast<unsigned char>(access.data >> 8 * (lane + k));
  }
}

AxiResponse to_axi(tlm::tlm_response_status status) {
  switch (status) {
    case tlm::TLM_OK_RESPONSE: return AxiResponse::okay;
    case tlm::TLM_ADDRESS_ERROR_RESPONSE: return AxiResponse::decerr;
    default: return AxiResponse::slverr;
  }
}
