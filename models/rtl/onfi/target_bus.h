// SPDX-License-Identifier: Apache-2.0
// Decodes the pins of an ONFI target: edges become the cycles of its logical unit, and its data-out becomes edges.
// Every edge is timed against the timing mode in use.
//
// SDR: WE_n latches a command (CLE), an address (ALE) or data-in at its rising edge. RE_n requests a byte at its
// falling edge. The byte is on DQ tREA later and stays until the next one or until tRHZ after the rise of RE_n.
//
// NV-DDR: at each rising edge of CLK, CLE and ALE select the kind of cycle: a command, an address, or, with both, two
// bytes of data. Bytes of data-in come with the two edges of the host's DQS, the first one 0.75 to 1.25 tCK later.
// Bytes of data-out are sent with the two edges of the target's DQS, tDQSCK after the two edges of CLK.
#pragma once

#include <cstdint>

#include "core/ticks.h"
#include "rtl/onfi/logical_unit.h"
#include "rtl/onfi/pins.h"
#include "rtl/onfi/violations.h"

namespace nandscape::rtl::onfi {

class TargetBus {
 public:
  class Outputs {
   public:
    // The target drives `pins` from time `at` onward.
    virtual void drive(Tick at, const TargetPins& pins) = 0;
    // Calls release() at time `at`.
    virtual void release_at(Tick at) = 0;

   protected:
    ~Outputs() = default;
  };

  // All arguments must outlive the bus.
  TargetBus(LogicalUnit& unit, Violations& violations, Outputs& outputs)
      : unit_(unit), violations_(violations), checks_(violations), outputs_(outputs) {}

  // The host drives `pins` from now on.
  void pins_moved(const HostPins& pins, Tick now);
  // Releases DQ if no byte was requested since release_at().
  void release(Tick now);
  // R/B_n has risen.
  void became_ready(Tick now) { checks_.happened(BusEvent::ready, now); }

  bool selected() const { return !pins_.ce_n; }

 private:
  void chip_enable_moved(const HostPins& pins, Tick now);
  void controls_moved(const HostPins& pins, Tick now);
  void sdr_moved(const HostPins& pins, Tick now);
  void nv_ddr_moved(const HostPins& pins, Tick now);
  void clock_rose(const HostPins& pins, Tick now);
  void strobe_moved(const HostPins& pins, Tick now);
  void latch(const HostPins& pins, Tick now);
  void note(LogicalUnit::Latched latched, Tick now);
  std::uint8_t next_byte(Tick now);
  std::uint8_t mode() const { return checks_.mode().mode; }
  bool nv_ddr() const { return checks_.mode().interface == Interface::nv_ddr; }

  LogicalUnit& unit_;
  Violations& violations_;
  TimingChecks checks_;
  Outputs& outputs_;

  HostPins pins_;
  Tick release_ = never;
  // NV-DDR.
  std::uint32_t bytes_to_come_ = 0;  // bytes of data-in announced by CLK
  Tick announced_ = 0;               // when the first of these bytes was announced; `never` once its strobe was checked
  bool second_byte_to_go_ = false;   // the second byte of data-out is pending
  std::uint8_t second_byte_ = 0;
};

}  // namespace nandscape::rtl::onfi
