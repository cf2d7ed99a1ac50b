// SPDX-License-Identifier: Apache-2.0
// The signals that connect an AXI4-Lite master to a slave.
#pragma once

#include <cstdint>
#include <systemc>

#include "axi_lite_master_module.h"
#include "axi_lite_slave_module.h"

template <class T>
struct AxiLiteWire {
  sc_core::sc_signal<T> signal;
  void join(auto& a, auto& b) {
    a(signal);
    b(signal);
  }
};

struct AxiLiteWires {
  void bind(AxiLiteMasterModule& m, AxiLiteSlaveModule& s) {
    aclk.join(m.aclk, s.aclk);
    aresetn.join(m.aresetn, s.aresetn);
    awaddr.join(m.awaddr, s.awaddr);
    awprot.join(m.awprot, s.awprot);
    awvalid.join(m.awvalid, s.awvalid);
    awready.join(m.awready, s.awready);
    wdata.join(m.wdata, s.wdata);
    wstrb.join(m.wstrb, s.wstrb);
    wvalid.join(m.wvalid, s.wvalid);
    wready.join(m.wready, s.wready);
    bresp.join(m.bresp, s.bresp);
    bvalid.join(m.bvalid, s.bvalid);
    bready.join(m.bready, s.bready);
    araddr.join(m.araddr, s.araddr);
    arprot.join(m.arprot, s.arprot);
    arvalid.join(m.arvalid, s.arvalid);
    arready.join(m.arready, s.arready);
    rdata.join(m.rdata, s.rdata);
    rresp.join(m.rresp, s.rresp);
    rvalid.join(m.rvalid, s.rvalid);
    rready.join(m.rready, s.rready);
  }
  AxiLiteWire<bool> aclk, aresetn, awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready;
  AxiLiteWire<std::uint32_t> awaddr, awprot, wdata, wstrb, bresp, araddr, arprot, rdata, rresp;
};
