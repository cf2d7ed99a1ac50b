// SPDX-License-Identifier: Apache-2.0
// Connects a host that is not a SystemC module to a link. Sends the host's accesses through its initiator sockets, and
// passes the requests of the function to PciHost.
#pragma once

#include <systemc>
#include <tlm>

#include "core/calendar.h"
#include "host/pcie/endpoint/pci_function.h"
#include "protocol/immediate_target.h"

namespace nandscape::host {

class PciPortModule final : public sc_core::sc_module,
                            public PciFunction,
                            public ImmediateTarget,
                            public tlm::tlm_fw_transport_if<>,
                            private tlm::tlm_bw_transport_if<> {
 public:
  tlm::tlm_initiator_socket<32> registers{"registers"};          // bound to the link's registers_in
  tlm::tlm_initiator_socket<32> configuration{"configuration"};  // bound to the link's configuration_in
  tlm::tlm_target_socket<32> dma{"dma"};                         // bound to the link's dma_out

  PciPortModule(const sc_core::sc_module_name& name, Calendar& calendar, PciHost& host);

  Tick config_read(std::uint32_t offset, std::span<std::byte> into, Tick now) override;
  Tick config_write(std::uint32_t offset, std::span<const std::byte> from, Tick now) override;
  Tick memory_read(std::uint32_t bar, std::uint64_t offset, std::span<std::byte> into, Tick now) override;
  Tick memory_write(std::uint32_t bar, std::uint64_t offset, std::span<const std::byte> from, Tick now) override;

  bool immediate() const override { return true; }

 private:
  using Payload = tlm::tlm_generic_payload;
  using Socket = tlm::tlm_initiator_socket<32>;

  // Splits the access into naturally aligned accesses of at most `widest` bytes and sends them. Returns the tick at
  // which the last of them ends.
  Tick access(Socket& socket, tlm::tlm_command command, std::uint64_t address, std::span<std::byte> data,
              std::size_t widest, Tick now);

  void b_transport(Payload& payload, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi&) override { return false; }
  unsigned int transport_dbg(Payload&) override { return 0; }
  tlm::tlm_sync_enum nb_transport_bw(Payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_ACCEPTED;  // this module never calls nb_transport_fw
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  Calendar& calendar_;
  PciHost& host_;
};

}  // namespace nandscape::host
