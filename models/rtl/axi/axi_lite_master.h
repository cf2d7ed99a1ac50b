// SPDX-License-Identifier: Apache-2.0
// The master's side of AXI4-Lite, cycle by cycle. It has one access under way. Address and data of a write are shown in
// the same cycle, and each stays until it is taken.
#pragma once

#include <cstdint>
#include <string>

#include "rtl/axi/axi_lite.h"
#include "rtl/clock/clock.h"

namespace nandscape::rtl {

class AxiLiteMaster {
 public:
  // Errors name the design. No handshake comes for `watchdog` at most; that is an error.
  AxiLiteMaster(std::string design, const Clock& clock, Tick watchdog);

  // Not before the access before it has ended.
  void begin(const AxiLiteAccess& access);
  // What it drives in this cycle.
  const AxiLiteMasterPins& pins() const { return pins_; }
  // The rising edge: what the slave showed before it. Throws ProtocolError when the slave answers what it was not
  // asked, or does not answer.
  void clock(const AxiLiteSlavePins& slave);
  // Forgets the access that is under way.
  void reset();

  bool ended() const { return !busy_; }
  // As it has ended.
  const AxiLiteAccess& access() const { return access_; }
  std::uint64_t cycles() const { return cycles_; }

 private:
  bool clock_write(const AxiLiteSlavePins& slave);
  bool clock_read(const AxiLiteSlavePins& slave);
  void end();
  [[noreturn]] void refuse(const std::string& what) const;
  [[noreturn]] void refuse_silence() const;

  std::string design_;
  Clock clock_;
  std::uint64_t patience_;  // cycles
  AxiLiteAccess access_;
  AxiLiteMasterPins pins_;
  bool busy_ = false;
  std::uint64_t cycles_ = 0;
  std::uint64_t silence_ = 0;  // cycles since a handshake
};

}  // namespace nandscape::rtl
