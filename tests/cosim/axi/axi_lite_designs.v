// SPDX-License-Identifier: Apache-2.0
// The cycle classes of models/rtl/axi as modules: at each rising edge, a system task of axi_lite_vpi.cpp samples the
// inputs and returns the outputs that hold from then on.
`timescale 1ns / 1ps

module axi_lite_designs (
    input wire aclk,
    input wire aresetn,

    // Accesses for the master: a request is asserted for one cycle.
    input  wire        begin_access,
    input  wire        access_write,
    input  wire [31:0] access_address,
    input  wire [31:0] access_data,
    input  wire [3:0]  access_strobes,
    output reg         access_ended,
    output reg  [31:0] access_read,
    output reg  [1:0]  access_response,

    output reg  [31:0] m_axi_awaddr,
    output wire [2:0]  m_axi_awprot,
    output reg         m_axi_awvalid,
    input  wire        m_axi_awready,
    output reg  [31:0] m_axi_wdata,
    output reg  [3:0]  m_axi_wstrb,
    output reg         m_axi_wvalid,
    input  wire        m_axi_wready,
    input  wire [1:0]  m_axi_bresp,
    input  wire        m_axi_bvalid,
    output reg         m_axi_bready,
    output reg  [31:0] m_axi_araddr,
    output wire [2:0]  m_axi_arprot,
    output reg         m_axi_arvalid,
    input  wire        m_axi_arready,
    input  wire [31:0] m_axi_rdata,
    input  wire [1:0]  m_axi_rresp,
    input  wire        m_axi_rvalid,
    output reg         m_axi_rready,

    input  wire [31:0] s_axi_awaddr,
    input  wire [2:0]  s_axi_awprot,
    input  wire        s_axi_awvalid,
    output reg         s_axi_awready,
    input  wire [31:0] s_axi_wdata,
    input  wire [3:0]  s_axi_wstrb,
    input  wire        s_axi_wvalid,
    output reg         s_axi_wready,
    output reg  [1:0]  s_axi_bresp,
    output reg         s_axi_bvalid,
    input  wire        s_axi_bready,
    input  wire [31:0] s_axi_araddr,
    input  wire [2:0]  s_axi_arprot,
    input  wire        s_axi_arvalid,
    output reg         s_axi_arready,
    output reg  [31:0] s_axi_rdata,
    output reg  [1:0]  s_axi_rresp,
    output reg         s_axi_rvalid,
    input  wire        s_axi_rready
);
  assign m_axi_awprot = 3'b000;
  assign m_axi_arprot = 3'b000;

  // The outputs from this edge on. Nonblocking assignments change them, so that there is no race.
  reg         ended;
  reg  [31:0] read;
  reg  [1:0]  response;
  reg  [31:0] awaddr, wdata, araddr;
  reg  [3:0]  wstrb;
  reg         awvalid, wvalid, bready, arvalid, rready;

  always @(posedge aclk) begin
    $axi_lite_master(aresetn, begin_access, access_write, access_address, access_data, access_strobes,
                     m_axi_awready, m_axi_wready, m_axi_bresp, m_axi_bvalid, m_axi_arready, m_axi_rdata, m_axi_rresp,
                     m_axi_rvalid,
                     ended, read, response,
                     awaddr, awvalid, wdata, wstrb, wvalid, bready, araddr, arvalid, rready);
    access_ended <= ended;
    access_read <= read;
    access_response <= response;
    m_axi_awaddr <= awaddr;
    m_axi_awvalid <= awvalid;
    m_axi_wdata <= wdata;
    m_axi_wstrb <= wstrb;
    m_axi_wvalid <= wvalid;
    m_axi_bready <= bready;
    m_axi_araddr <= araddr;
    m_axi_arvalid <= arvalid;
    m_axi_rready <= rready;
  end

  reg        awready, wready, bvalid, arready, rvalid;
  reg [1:0]  bresp, rresp;
  reg [31:0] rdata;

  always @(posedge aclk) begin
    $axi_lite_slave(aresetn, s_axi_awaddr, s_axi_awvalid, s_axi_wdata, s_axi_wstrb, s_axi_wvalid, s_axi_bready,
                    s_axi_araddr, s_axi_arvalid, s_axi_rready,
                    awready, wready, bresp, bvalid, arready, rdata, rresp, rvalid);
    s_axi_awready <= awready;
    s_axi_wready <= wready;
    s_axi_bresp <= bresp;
    s_axi_bvalid <= bvalid;
    s_axi_arready <= arready;
    s_axi_rdata <= rdata;
    s_axi_rresp <= rresp;
    s_axi_rvalid <= rvalid;
  end
endmodule
