// SPDX-License-Identifier: Apache-2.0
// AXI4-Lite slave ports that turn accesses on signals into b_transport calls of four bytes. The master provides the
// clock. A read covers a whole word. In a write, the bytes whose strobes are low are disabled by the byte enables of
// the transaction. The TLM target may wait in the call. One write and one read may be in progress at a time.
#pragma once

#include <cstdint>
#include <systemc>
#include <tlm>

#include "axi_lite_slave.h"

class AxiLiteSlaveModule final : public sc_core::sc_module,
                                 private tlm::tlm_bw_transport_if<>,
                                 private AxiLiteSlave::Owner {
 public:
  explicit AxiLiteSlaveModule(const sc_core::sc_module_name& name);

  tlm::tlm_initiator_socket<32> initiator{"initiator"};

  sc_core::sc_in<bool> aclk{"aclk"};
  sc_core::sc_in<bool> aresetn{"aresetn"};

  sc_core::sc_in<std::uint32_t> awaddr{"awaddr"};
  sc_core::sc_in<std::uint32_t> awprot{"awprot"};  // ignored
  sc_core::sc_in<bool> awvalid{"awvalid"};
  sc_core::sc_out<bool> awready{"awready"};
  sc_core::sc_in<std::uint32_t> wdata{"wdata"};
  sc_core::sc_in<std::uint32_t> wstrb{"wstrb"};  // 4 bits
  sc_core::sc_in<bool> wvalid{"wvalid"};
  sc_core::sc_out<bool> wready{"wready"};
  sc_core::sc_out<std::uint32_t> bresp{"bresp"};  // 2 bits
  sc_core::sc_out<bool> bvalid{"bvalid"};
  sc_core::sc_in<bool> bready{"bready"};
  sc_core::sc_in<std::uint32_t> araddr{"araddr"};
  sc_core::sc_in<std::uint32_t> arprot{"arprot"};  // ignored
  sc_core::sc_in<bool> arvalid{"arvalid"};
  sc_core::sc_out<bool> arready{"arready"};
  sc_core::sc_out<std::uint32_t> rdata{"rdata"};
  sc_core::sc_out<std::uint32_t> rresp{"rresp"};  // 2 bits
  sc_core::sc_out<bool> rvalid{"rvalid"};
  sc_core::sc_in<bool> rready{"rready"};

 private:
  using Payload = tlm::tlm_generic_payload;

  // The state of one direction, write or read. Each direction has its own thread, which makes its b_transport calls.
  struct Direction {
    AxiLiteAccess access;
    sc_core::sc_event begun;
    bool begins = false;  // an access waits for the thread to perform it
    bool ended = false;   // the access is done; it is answered at the next edge
  };

  tlm::tlm_sync_enum nb_transport_bw(Payload&, tlm::tlm_phase&, sc_core::sc_time&) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  void access_begins(const AxiLiteAccess& access) override;
  void rising_edge();
  void answer(Direction& direction);
  void show();
  void make_writes() { make_accesses(write_); }
  void make_reads() { make_accesses(read_); }
  [[noreturn]] void make_accesses(Direction& direction);
  void call(AxiLiteAccess& access);

  AxiLiteSlave slave_;
  Direction write_;
  Direction read_;
  std::uint64_t resets_ = 0;  // number of rising clock edges during resets
  sc_core::sc_event pins_changed_;
};
