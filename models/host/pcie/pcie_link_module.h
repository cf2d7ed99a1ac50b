// SPDX-License-Identifier: Apache-2.0
// SystemC shell of the PCI Express link. Accesses to registers and to configuration space go downstream by b_transport
// (downstream_module.h). DMA and interrupts go upstream by nb_transport phases.
//
// Addresses of register accesses are offsets within BAR0 and are passed on unchanged. A register write adds its one-way
// time to the delay. A register read, and any access to configuration space, adds its round trip. The configuration
// sockets may stay unbound.
//
// The link ends a DMA request at once (END_REQ). It answers reads and non-posted writes with BEGIN_RESP when they end.
// Posted writes complete for the device when they are sent. The bytes of a transfer are copied when it arrives, by DMI
// if host memory offers it. Memory that may wait is called from a thread, and the time that it needs is added. If
// memory does not wait, a device that is bound to the link with no other module between them may call DmaTransfers
// instead of sending payloads (see DirectDma).
#pragma once

#include <cstdint>
#include <optional>
#include <systemc>
#include <tlm>

#include "core/calendar.h"
#include "host/pcie/dma_attributes.h"
#include "host/pcie/dma_transfers.h"
#include "host/pcie/downstream_module.h"
#include "host/pcie/pcie_link.h"
#include "protocol/blocking_calls.h"
#include "protocol/immediate_target.h"

namespace nandscape::host {

class PcieLinkModule final : public sc_core::sc_module, private BlockingCalls::Client, private DmaTransfers::HostSide {
 public:
  template <template <unsigned int, class, int, sc_core::sc_port_policy> class Socket>
  using Optional = Socket<32, tlm::tlm_base_protocol_types, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;

  tlm::tlm_target_socket<32> registers_in{"registers_in"};       // from the host
  tlm::tlm_initiator_socket<32> registers_out{"registers_out"};  // to the device
  Optional<tlm::tlm_target_socket> configuration_in{"configuration_in"};
  Optional<tlm::tlm_initiator_socket> configuration_out{"configuration_out"};
  tlm::tlm_target_socket<32> dma_in{"dma_in"};       // from the device
  tlm::tlm_initiator_socket<32> dma_out{"dma_out"};  // to host memory

  PcieLinkModule(const sc_core::sc_module_name& name, Calendar& calendar, const PcieLinkParameters& parameters);
  ~PcieLinkModule() override;

  const PcieLink& link() const { return link_; }
  void persist_counters(Archive& archive) { link_.persist_counters(archive); }

 private:
  using Payload = tlm::tlm_generic_payload;

  // A separate class, because the transport interfaces of several sockets have methods with the same names.
  struct DmaFace final : tlm::tlm_fw_transport_if<>, tlm::tlm_bw_transport_if<>, ImmediateTarget, DirectDma {
    explicit DmaFace(PcieLinkModule& m) : module(m) {}
    DmaTransfers* connect(const Calendar& calendar, DmaClient& client) override;
    bool immediate() const override { return has_immediate_target(module.dma_out); }
    void b_transport(Payload& trans, sc_core::sc_time& delay) override;
    tlm::tlm_sync_enum nb_transport_fw(Payload& trans, tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
    bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi&) override { return false; }
    unsigned int transport_dbg(Payload& trans) override { return module.dma_out->transport_dbg(trans); }
    tlm::tlm_sync_enum nb_transport_bw(Payload&, tlm::tlm_phase&, sc_core::sc_time&) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) override;
    PcieLinkModule& module;
  };

  // DmaTransfers::HostSide
  DmaTransfers::Region region_of(DmaTransfer& transfer) override;
  bool move(DmaTransfer& transfer) override;
  void ended(DmaTransfer& transfer) override;

  void request_came(Payload& trans);
  void begin(Payload& trans, const DmaAttributes& attributes);
  bool memory_is_immediate();
  // Returns the payload with which the link passes the transfer to host memory.
  Payload& payload_of(DmaTransfer& transfer);
  void call_ended(Payload& trans) override;
  void respond(Payload& trans);

  Calendar& calendar_;
  PcieLink link_;
  DmaFace dma_face_{*this};
  DownstreamModule registers_;
  DownstreamModule configuration_;
  BlockingCalls memory_calls_;
  std::optional<bool> memory_is_immediate_;  // determined at the first call, because tests run without SystemC's kernel
  DmaTransfers transfers_{calendar_, link_, *this};
  DmaAttributes attributes_;  // attributes of payload_
  Payload payload_;           // payload for transfers of a device that calls DmaTransfers directly
};

}  // namespace nandscape::host
