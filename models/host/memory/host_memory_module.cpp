// SPDX-License-Identifier: Apache-2.0
#include "host/memory/host_memory_module.h"

#include <cstring>
#include <span>

#include "protocol/simulated_time.h"

namespace nandscape::host {

HostMemoryModule::HostMemoryModule(const sc_core::sc_module_name& name, Calendar& calendar, HostMemory& memory,
                                   InterruptSink& sink)
    : sc_module(name), calendar_(calendar), memory_(memory), sink_(sink) {
  target.bind(*this);
}

void HostMemoryModule::b_transport(Payload& trans, sc_core::sc_time& delay) {
  if (trans.get_byte_enable_ptr() != nullptr) {
    trans.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    return;
  }
  if (HostMemory::is_interrupt(trans.get_address())) {
    std::uint32_t message = 0;
    if (!trans.is_write() || trans.get_data_length() != sizeof message) {
      trans.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
      return;
    }
    std::memcpy(&message, trans.get_data_ptr(), sizeof message);
    trans.set_response_status(tlm::TLM_OK_RESPONSE);
    const Tick at = call_time(calendar_, delay);
    if (at <= calendar_.now()) {
      interrupt(message);
    } else {
      calendar_.schedule<&HostMemoryModule::interrupt>(at, *this, message);
    }
    return;
  }
  trans.set_response_status(move_bytes(trans) ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

tlm::tlm_sync_enum HostMemoryModule::nb_transport_fw(Payload& trans, tlm::tlm_phase&, sc_core::sc_time& delay) {
  b_transport(trans, delay);
  return tlm::TLM_COMPLETED;
}

bool HostMemoryModule::get_direct_mem_ptr(Payload& trans, tlm::tlm_dmi& dmi) {
  const std::uint64_t address = trans.get_address();
  if (HostMemory::is_interrupt(address)) {
    dmi.set_start_address(HostMemory::interrupt_window);
    dmi.set_end_address(HostMemory::interrupt_window + HostMemory::interrupt_window_bytes - 1);
    return false;
  }
  // No DMI is granted for the chunk that contains the interrupt window, because the DMI range would have a hole.
  const std::uint64_t start = address / HostMemory::chunk_bytes * HostMemory::chunk_bytes;
  const std::uint64_t window_chunk = HostMemory::interrupt_window / HostMemory::chunk_bytes * HostMemory::chunk_bytes;
  if (!memory_.contains(address, 1) || start == window_chunk) {
    dmi.set_start_address(address);
    dmi.set_end_address(address);
    return false;
  }
  dmi.set_start_address(start);
  dmi.set_end_address(start + HostMemory::chunk_bytes - 1);
  dmi.set_dmi_ptr(reinterpret_cast<unsigned char*>(memory_.at(start).data()));
  dmi.allow_read_write();
  return true;
}

unsigned int HostMemoryModule::transport_dbg(Payload& trans) { return move_bytes(trans) ? trans.get_data_length() : 0; }

bool HostMemoryModule::move_bytes(Payload& trans) {
  const std::uint64_t address = trans.get_address();
  const std::size_t length = trans.get_data_length();
  if (!memory_.contains(address, length) || HostMemory::is_interrupt(address)) return false;
  auto* data = reinterpret_cast<std::byte*>(trans.get_data_ptr());
  if (trans.is_read()) {
    memory_.read(address, std::span(data, length));
  } else if (trans.is_write()) {
    memory_.write(address, std::span<const std::byte>(data, length));
  }
  return true;
}

}  // namespace nandscape::host
