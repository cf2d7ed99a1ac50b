// SPDX-License-Identifier: Apache-2.0
// The master's side of AXI4-Lite, one clock cycle per call. The master handles one access at a time. For a write, it
// begins to drive the address and the data in the same cycle, and drives each of them until the slave has accepted it.
#pragma once

#include <cstdint>
#include <string>

#include "axi_lite.h"
#include "rtl/clock/clock.h"

class AxiLiteMaster {
 public:
  // `design` is a name for error messages. `watchdog` is the longest allowed time without a handshake.
  AxiLiteMaster(std::string design, const nandscape::rtl::Clock& clock, nandscape::Tick watchdog);

  // Begins an access. The previous access must have ended.
  void begin(const AxiLiteAccess& access);
  // Returns the values that the master drives in this cycle.
  const AxiLiteMasterPins& pins() const { return pins_; }
  // Applies a rising clock edge. `slave` holds the slave's outputs just before the edge. Throws ProtocolError if the
  // slave answers without a request, or if no handshake happens within the watchdog time.
  void clock(const AxiLiteSlavePins& slave);
  // Discards the access in progress.
  void reset();

  bool ended() const { return !busy_; }
  // Returns the latest access. Its response and read data are valid once ended() returns true.
  const AxiLiteAccess& access() const { return access_; }
  std::uint64_t cycles() const { return cycles_; }

 private:
  bool clock_write(const AxiLiteSlavePins& slave);
  bool clock_read(const AxiLiteSlavePins& slave);
  void end();
  [[noreturn]] void refuse(const std::string& what) const;
  [[noreturn]] void refuse_silence() const;

  std::string design_;
  nandscape::rtl::Clock clock_;
  std::uint64_t watchdog_cycles_;
  AxiLiteAccess access_;
  AxiLiteMasterPins pins_;
  bool busy_ = false;
  std::uint64_t cycles_ = 0;
  std::uint64_t silence_ = 0;  // clock cycles since the last handshake
};
