// SPDX-License-Identifier: Apache-2.0
// The signals of AXI4-Lite [Arm IHI 0022, AMBA AXI and ACE Protocol Specification, chapter B1] and their values in one
// clock cycle. Data and addresses have 32 bits. A channel transfers its data in each cycle in which both its valid and
// its ready signal are high.
#pragma once

#include <cstdint>

inline constexpr std::uint32_t axi_word_bytes = 4;

enum class AxiResponse : std::uint8_t { okay = 0, exokay = 1, slverr = 2, decerr = 3 };

// The signals that a master drives.
struct AxiLiteMasterPins {
  std::uint32_t awaddr = 0;
  std::uint32_t wdata = 0;
  std::uint32_t araddr = 0;
  std::uint8_t wstrb = 0;  // bit k enables the write of byte k of the word
  bool awvalid = false;
  bool wvalid = false;
  bool bready = false;
  bool arvalid = false;
  bool rready = false;
  bool operator==(const AxiLiteMasterPins&) const = default;
};

// The signals that a slave drives.
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

// A read or write access to one word.
struct AxiLiteAccess {
  bool write = false;
  std::uint32_t address = 0;
  std::uint32_t data = 0;  // written or read
  std::uint8_t strobes = 0xf;
  AxiResponse response = AxiResponse::okay;
  bool operator==(const AxiLiteAccess&) const = default;
};

// A design that has AXI4-Lite slave ports and no clock: the caller clocks the design by calling cycle().
class ClockedAxiLite {
 public:
  virtual ~ClockedAxiLite() = default;
  // Runs one clock cycle with `inputs` applied. Returns the outputs just before the rising edge of the cycle.
  virtual AxiLiteSlavePins cycle(const AxiLiteMasterPins& inputs, bool reset) = 0;
};
