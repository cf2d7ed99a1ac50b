// SPDX-License-Identifier: Apache-2.0
// Drives the AXI4-Lite slave ports of a design: translates TLM accesses to transfers on signals. b_transport waits for
// the response; concurrent callers are served in turn. The module generates the clock, which runs only during an access
// or a reset (rtl/clock/gated_clock_module.h). Verilator gives the ports of a SystemC model the same types.
#pragma once

#include <exception>
#include <systemc>
#include <tlm>

#include "axi_lite_design_module.h"
#include "axi_lite_master.h"
#include "rtl/clock/gated_clock_module.h"

class AxiLiteMasterModule final : public sc_core::sc_module,
                                  private tlm::tlm_fw_transport_if<>,
                                  private nandscape::rtl::GatedClockModule::Client {
 public:
  AxiLiteMasterModule(const sc_core::sc_module_name& name, const AxiLiteTiming& timing);

  tlm::tlm_target_socket<32> target{"target"};

  sc_core::sc_out<bool> aclk{"aclk"};
  sc_core::sc_out<bool> aresetn{"aresetn"};

  sc_core::sc_out<std::uint32_t> awaddr{"awaddr"};
  sc_core::sc_out<std::uint32_t> awprot{"awprot"};  // 3 bits, always 0, which means an unprivileged secure data access
  sc_core::sc_out<bool> awvalid{"awvalid"};
  sc_core::sc_in<bool> awready{"awready"};
  sc_core::sc_out<std::uint32_t> wdata{"wdata"};
  sc_core::sc_out<std::uint32_t> wstrb{"wstrb"};  // 4 bits
  sc_core::sc_out<bool> wvalid{"wvalid"};
  sc_core::sc_in<bool> wready{"wready"};
  sc_core::sc_in<std::uint32_t> bresp{"bresp"};  // 2 bits
  sc_core::sc_in<bool> bvalid{"bvalid"};
  sc_core::sc_out<bool> bready{"bready"};
  sc_core::sc_out<std::uint32_t> araddr{"araddr"};
  sc_core::sc_out<std::uint32_t> arprot{"arprot"};  // 3 bits; always 0
  sc_core::sc_out<bool> arvalid{"arvalid"};
  sc_core::sc_in<bool> arready{"arready"};
  sc_core::sc_in<std::uint32_t> rdata{"rdata"};
  sc_core::sc_in<std::uint32_t> rresp{"rresp"};  // 2 bits
  sc_core::sc_in<bool> rvalid{"rvalid"};
  sc_core::sc_out<bool> rready{"rready"};

  // Resets the design. If an access is in progress, it is restarted after the reset.
  void reset();

 private:
  using Payload = tlm::tlm_generic_payload;

  void b_transport(Payload& payload, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi&) override { return false; }
  unsigned int transport_dbg(Payload&) override { return 0; }

  void power_on() { reset(); }
  void begin();
  void rising_edge(std::uint64_t cycle) override;
  void run_cycle(std::uint64_t cycle);
  AxiLiteSlavePins slave_pins() const;
  AxiResponse response(const sc_core::sc_in<std::uint32_t>& port) const;
  void show();

  AxiLiteMaster master_;
  nandscape::rtl::GatedClockModule clock_module_;
  sc_core::sc_mutex one_at_a_time_;
  sc_core::sc_event pins_changed_;
  sc_core::sc_event ended_;
  AxiLiteAccess access_;
  bool waiting_ = false;  // a caller waits for the access
  bool resetting_ = true;
  std::exception_ptr error_;
};
