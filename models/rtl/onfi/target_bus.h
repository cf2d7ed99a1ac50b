// SPDX-License-Identifier: Apache-2.0
// The pins of an ONFI target, decoded: edges become the cycles of its logical unit, and its data-out becomes edges.
// Every edge is timed against the timing mode in use.
//
// SDR: WE_n latches a command (CLE), an address (ALE) or data-in at its rising edge; RE_n asks for a byte at its
// falling edge, which is on DQ tREA later and stays until the next one or until tRHZ after RE_n has risen.
//
// NV-DDR: at each rising edge of CLK, CLE and ALE tell what there is: a command, an address, or, with both, two bytes
// of data. Those of data-in come with the two edges of the host's DQS, the first of them 0.75 to 1.25 tCK later. Those
// of data-out go with the two edges of the target's DQS, tDQSCK after the two edges of CLK.
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
    // The target drives its pins so from that time on.
    virtual void drive(Tick at, const TargetPins& pins) = 0;
    // Calls release() at that time.
    virtual void release_at(Tick at) = 0;

   protected:
    ~Outputs() = default;
  };

  // All of them must outlive it.
  TargetBus(LogicalUnit& unit, Violations& violations, Outputs& outputs)
      : unit_(unit), violations_(violations), checks_(violations), outputs_(outputs) {}

  // The host's pins are so from now on.
  void pins_moved(const HostPins& pins, Tick now);
  // DQ is released if nothing has been asked for since.
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
  std::uint32_t bytes_to_come_ = 0;  // of data-in that CLK has announced
  Tick announced_ = 0;               // the first of them
  bool second_byte_to_go_ = false;   // of data-out
  std::uint8_t second_byte_ = 0;
};

}  // namespace nandscape::rtl::onfi
