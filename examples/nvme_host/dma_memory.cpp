// SPDX-License-Identifier: Apache-2.0
#include "dma_memory.h"

#include <cstring>

namespace {

constexpr std::uint64_t page_bytes = 4096;

}  // namespace

DmaMemory::DmaMemory(sc_core::sc_module_name name, std::size_t bytes) : sc_module(name), bytes_(bytes) {
  socket.bind(*this);
}

std::uint64_t DmaMemory::reserve_pages(std::uint32_t count) {
  const std::uint64_t address = reserved_;
  reserved_ += count * page_bytes;
  return address;
}

DmaMemory::Interrupt DmaMemory::next_interrupt() {
  while (interrupts_.empty()) wait(interrupted_);
  const Interrupt first = interrupts_.front();
  interrupts_.pop_front();
  return first;
}

void DmaMemory::b_transport(Payload& payload, sc_core::sc_time& delay) {
  if (payload.is_write() && payload.get_address() == interrupt_window && payload.get_data_length() == 4) {
    Interrupt interrupt{0, sc_core::sc_time_stamp() + delay};
    std::memcpy(&interrupt.message, payload.get_data_ptr(), sizeof interrupt.message);
    interrupts_.push_back(interrupt);
    interrupted_.notify(delay);
  } else if (inside(payload)) {
    move(payload);
  } else {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

tlm::tlm_sync_enum DmaMemory::nb_transport_fw(Payload& payload, tlm::tlm_phase&, sc_core::sc_time& delay) {
  b_transport(payload, delay);
  return tlm::TLM_COMPLETED;
}

unsigned int DmaMemory::transport_dbg(Payload& payload) {
  if (!inside(payload)) return 0;
  move(payload);
  return payload.get_data_length();
}

bool DmaMemory::inside(const Payload& payload) const {
  const std::uint64_t offset = payload.get_address() - base;
  return payload.get_address() >= base && offset <= bytes_.size() &&
         payload.get_data_length() <= bytes_.size() - offset && payload.get_byte_enable_ptr() == nullptr;
}

void DmaMemory::move(Payload& payload) {
  std::byte* const here = at(payload.get_address());
  if (payload.is_read()) std::memcpy(payload.get_data_ptr(), here, payload.get_data_length());
  if (payload.is_write()) std::memcpy(here, payload.get_data_ptr(), payload.get_data_length());
}
