// SPDX-License-Identifier: Apache-2.0
// Connects the registers of a design to a TLM socket. The module clocks the design itself: a TLM access runs all of its
// clock cycles within the call, and adds the duration of these cycles to the delay argument.
#pragma once

#include <memory>
#include <systemc>
#include <tlm>

#include "axi_lite_master.h"
#include "protocol/immediate_target.h"

// The clock of a design's registers, and the watchdog time of accesses to the registers.
struct AxiLiteTiming {
  double clock_mhz = 100;
  double watchdog_us = 1000;  // longest time without a handshake during an access
};

class AxiLiteDesignModule final : public sc_core::sc_module,
                                  public nandscape::ImmediateTarget,
                                  public tlm::tlm_fw_transport_if<> {
 public:
  tlm::tlm_target_socket<32> target{"target"};

  AxiLiteDesignModule(const sc_core::sc_module_name& name, const AxiLiteTiming& timing,
                      std::unique_ptr<ClockedAxiLite> design);

  bool immediate() const override { return true; }
  void reset();

 private:
  using Payload = tlm::tlm_generic_payload;

  void b_transport(Payload& payload, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi&) override { return false; }
  // Debug accesses are not supported, since reading a register takes clock cycles.
  unsigned int transport_dbg(Payload&) override { return 0; }

  const nandscape::rtl::Clock clock_;
  AxiLiteMaster master_;
  const std::unique_ptr<ClockedAxiLite> design_;
};
