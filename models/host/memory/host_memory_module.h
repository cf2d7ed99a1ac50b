// SPDX-License-Identifier: Apache-2.0
// SystemC shell of host memory. It offers DMI for the memory, and b_transport for the memory and the interrupt window.
// Accesses take no time here, because the propagation delay of the link includes the root complex.
#pragma once

#include <systemc>
#include <tlm>

#include "core/calendar.h"
#include "host/memory/host_memory.h"
#include "host/memory/interrupt_sink.h"
#include "protocol/immediate_target.h"

namespace nandscape::host {

class HostMemoryModule final : public sc_core::sc_module,
                               public ImmediateTarget,
                               public DirectInterrupts,
                               public tlm::tlm_fw_transport_if<> {
 public:
  bool immediate() const override { return true; }
  bool runs_in(const Calendar& calendar) const override { return &calendar == &calendar_; }
  bool interrupt_comes(std::uint64_t address, std::uint32_t message) override {
    if (!HostMemory::is_interrupt(address)) return false;
    sink_.interrupt(message);
    return true;
  }

  tlm::tlm_target_socket<32> target{"target"};

  HostMemoryModule(const sc_core::sc_module_name& name, Calendar& calendar, HostMemory& memory, InterruptSink& sink);

 private:
  using Payload = tlm::tlm_generic_payload;

  void b_transport(Payload& trans, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_fw(Payload& trans, tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(Payload& trans, tlm::tlm_dmi& dmi) override;
  unsigned int transport_dbg(Payload& trans) override;

  bool move_bytes(Payload& trans);
  void interrupt(std::uint64_t message) { sink_.interrupt(static_cast<std::uint32_t>(message)); }

  Calendar& calendar_;
  HostMemory& memory_;
  InterruptSink& sink_;
};

}  // namespace nandscape::host
