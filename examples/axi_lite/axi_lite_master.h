// SPDX-License-Identifier: Apache-2.0
// The master's side of AXI4-Lite, cycle by cycle. It handles one access at a time. A write drives its address and its
// data from the same cycle on, each until the slave accepts it.
#pragma once

#include <cstdint>
#include <string>

#include "axi_lite.h"
#include "rtl/clock/clock.h"

class AxiLiteMaster {
 public:
  // `design` names the design in error messages. An access that makes no handshake for `watchdog` is an error.
  AxiLiteMaster(std::string design, const nandscape::rtl::Clock& clock, nandscape::Tick watchdog);

  // Begins an access; the one before it must have ended.
  void begin(const AxiLiteAccess& access);
  // The values driven in this cycle.
  const AxiLiteMasterPins& pins() const { return pins_; }
  // Applies a rising edge; `slave` holds the slave's outputs just before it. Throws ProtocolError if the slave answers
  // without a request, or does not answer within the watchdog time.
  void clock(const AxiLiteSlavePins& slave);
  // Drops the access in progress.
  void reset();

  bool ended() const { return !busy_; }
  // The latest access, with its result once it has ended.
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
  std::uint64_t silence_ = 0;  // cycles since a handshake
};
