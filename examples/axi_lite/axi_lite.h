// SPDX-License-Identifier: Apache-2.0
// The values of the wires of AXI4-Lite [Arm IHI 0022, AMBA AXI and ACE Protocol Specification, chapter B1] in one
// cycle, with 32-bit data and addresses. A channel makes a transfer in each cycle in which both valid and ready are
// set.
#pragma once

#include <cstdint>

inline constexpr std::uint32_t axi_word_bytes = 4;

enum class AxiResponse : std::uint8_t { okay = 0, exokay = 1, slverr = 2, decerr = 3 };

// The wires that a master drives.
struct AxiLiteMasterPins {
  std::uint32_t awaddr = 0;
  std::uint32_t wdata = 0;
  std::uint32_t araddr = 0;
  std::uint8_t wstrb = 0;  // bit k: byte k of the word is written
  bool awvalid = false;
  bool wvalid = false;
  bool bready = false;
  bool arvalid = false;
  bool rready = false;
  bool operator==(const AxiLiteMasterPins&) const = default;
};

// The wires that a slave drives.
struct AxiLiteSlavePins {
  std::uint32_t rdata = 0;
  AxiResponse bresp = AxiResponse::okay;
  AxiResponse rresp = AxiResponse::okay;
  bool awready = false;
  bool wready = false;
  bool bvalid = false;
  bool arready = false;
  bool rvalid = false;
  bool operator==(const AxiLiteSlavePins&) const = default;
};

// One access of a word.
struct AxiLiteAccess {
  bool write = false;
  std::uint32_t address = 0;
  std::uint32_t data = 0;  // written or read
  std::uint8_t strobes = 0xf;
  AxiResponse response = AxiResponse::okay;
  bool operator==(const AxiLiteAccess&) const = default;
};

// A design with AXI4-Lite slave ports, clocked from outside.
class ClockedAxiLite {
 public:
  virtual ~ClockedAxiLite() = default;
  // Runs one clock cycle with `inputs` applied, and returns the outputs just before its rising edge.
  virtual AxiLiteSlavePins cycle(const AxiLiteMasterPins& inputs, bool reset) = 0;
};
