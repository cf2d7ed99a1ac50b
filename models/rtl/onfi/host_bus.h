// SPDX-License-Identifier: Apache-2.0
// A host at the pins of an ONFI target: plays cycles as edges, in the timing mode in use, no faster than that allows.
//
// SDR: WE_n is low for tWP of each tWC. RE_n is low for tRP of each tRC, and the byte is sampled at the end of tRC, as
// the EDO modes 4 and 5 need it; a slower target is sampled late, not wrong.
//
// NV-DDR: CLK runs with tCK while CE_n is low, in quarters: everything but DQ moves with its falling edge, and is
// latched with the rising one. Data-in is centred on the edges of DQS, which come tDQSS = tCK after their CLK. Data-out
// is sampled tCK/4 after each edge of the target's DQS.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/ticks.h"
#include "rtl/onfi/pins.h"
#include "rtl/onfi/timing_modes.h"

namespace nandscape::rtl::onfi {

// What a host does at the bus, one after the other, between the fall and the rise of CE_n.
struct Cycle {
  enum class Kind : std::uint8_t { command, address, data_in, data_out, wait };

  Kind kind = Kind::wait;
  std::uint8_t byte = 0;            // command, address
  Tick time = 0;                    // wait
  std::uint32_t count = 0;          // data_in, data_out: bytes
  std::byte* data = nullptr;        // data_out: where they go; null: they are dropped
  const std::byte* from = nullptr;  // data_in: null drives FFh
  bool single_bytes = false;        // a status, an ID or a feature: in NV-DDR each byte goes twice
};

class HostBus {
 public:
  // At the pins. Each call of moved() asks for advance() after `delay`.
  class Pins {
   public:
    virtual void drive(const HostPins& pins, bool dq_enable, bool dqs_enable) = 0;
    virtual std::uint8_t sampled_dq() const = 0;
    virtual void advance_after(Tick delay) = 0;

   protected:
    ~Pins() = default;
  };

  explicit HostBus(Pins& pins) : pins_(pins) {}

  // While no cycles are played.
  void use(TimingMode mode) { mode_ = mode; }
  TimingMode mode() const { return mode_; }

  void play(std::vector<Cycle> cycles);
  bool playing() const { return playing_; }
  // Ends what is played as soon as a cycle or a byte of it ends.
  void stop();

  // The time that advance_after() has asked for has come. Returns whether the cycles are over with that: CE_n has been
  // high for tCEH.
  bool advance();
  // NV-DDR: tCK/4 ago the target's DQS has moved.
  void strobe_seen();
  Tick quarter_clock() const { return nv_ddr_times(mode_.mode).clock / 4; }

 private:
  enum class Phase : std::uint8_t { setup, cycles, hold, high };

  bool next_cycle();
  void finish();
  void sdr();
  void sdr_write(bool cle, bool ale, std::uint8_t byte);
  void sdr_read();
  void nv_ddr();
  void clock_period_begins();
  void drive();
  std::uint8_t next_byte_in();
  void byte_out();
  std::uint32_t bus_bytes(const Cycle& cycle) const;
  std::uint32_t periods(Tick time) const;

  Pins& pins_;
  TimingMode mode_;
  std::vector<Cycle> cycles_;
  std::size_t cycle_ = 0;
  bool playing_ = false;
  bool stopped_ = false;
  Phase phase_ = Phase::setup;
  HostPins levels_;
  bool dq_enable_ = false;
  bool dqs_enable_ = false;
  std::uint32_t moved_ = 0;  // bytes of the cycle on the bus so far
  unsigned step_ = 0;        // SDR: of a byte
  // NV-DDR.
  unsigned quarter_ = 0;         // of the clock's period, to come
  std::uint32_t period_ = 0;     // of the cycle
  std::uint32_t announced_ = 0;  // bytes of the cycle
};

}  // namespace nandscape::rtl::onfi
