// SPDX-License-Identifier: Apache-2.0
// Decodes the signals at the pins of an ONFI target. The edges of the host are converted to cycles of the logical unit,
// and the data-out of the logical unit is converted to edges. The time of every edge is checked against the timing mode
// in use.
//
// SDR: WE_n latches a command (CLE), an address (ALE) or data-in at its rising edge. RE_n requests a byte at its
// falling edge. The byte is on DQ after tREA. It remains there until the next byte, or until tRHZ after the rising edge
// of RE_n.
//
// NV-DDR: At each rising edge of CLK, CLE selects a command and ALE an address. If both are high, the cycle is for two
// bytes of data. The two bytes of data-in arrive with the two edges of the host's DQS. The first of these follows CLK
// after 0.75 to 1.25 tCK. The two bytes of data-out are sent with the two edges of the target's DQS, tDQSCK after the
// two edges of CLK.
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
    // Called when the target must drive `pins` from time `at` on.
    virtual void drive(Tick at, const TargetPins& pins) = 0;
    // Calls release() at time `at`.
    virtual void release_at(Tick at) = 0;

   protected:
    ~Outputs() = default;
  };

  // All arguments must outlive the bus.
  TargetBus(LogicalUnit& unit, Violations& violations, Outputs& outputs)
      : unit_(unit), violations_(violations), checks_(violations), outputs_(outputs) {}

  // Called when the host has changed its pins. `pins` are their new levels.
  void pins_moved(const HostPins& pins, Tick now);
  // Releases DQ if the host has not requested another byte since the call of release_at().
  void release(Tick now);
  // Called when R/B_n has risen.
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
  // State that is used only in NV-DDR.
  std::uint32_t bytes_to_come_ = 0;  // bytes of data-in announced by CLK
  Tick announced_ = 0;               // when the first of these bytes was announced, or `never`
  bool second_byte_to_go_ = false;   // the second byte of a pair of data-out must still be sent
  std::uint8_t second_byte_ = 0;
};

}  // namespace nandscape::rtl::onfi
