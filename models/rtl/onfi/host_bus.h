// SPDX-License-Identifier: Apache-2.0
// A host at the pins of an ONFI target: plays cycles as edges, no faster than the timing mode in use allows.
//
// SDR: WE_n is low for tWP of each tWC. RE_n is low for tRP of each tRC, and the byte is sampled at the end of tRC, as
// the EDO modes 4 and 5 require; for slower modes this is late but correct.
//
// NV-DDR: CLK runs with tCK while CE_n is low, divided into quarters. Commands, addresses, CLE, ALE and W/R_n change
// with its falling edge, and are latched with the rising edge. Data-in is centred on the edges of DQS, which come tDQSS
// = tCK after their CLK. Data-out is sampled tCK/4 after each edge of the target's DQS.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/ticks.h"
#include "rtl/onfi/pins.h"
#include "rtl/onfi/timing_modes.h"

namespace nandscape::rtl::onfi {

// A step of the host on the bus. Steps are played in order between the fall and the rise of CE_n.
struct Cycle {
  enum class Kind : std::uint8_t { command, address, data_in, data_out, wait };

  Kind kind = Kind::wait;
  std::uint8_t byte = 0;            // command, address
  Tick time = 0;                    // wait
  std::uint32_t count = 0;          // data_in, data_out: bytes
  std::byte* data = nullptr;        // data_out: destination; null: bytes are dropped
  const std::byte* from = nullptr;  // data_in: source; null: FFh
  bool single_bytes = false;        // a status, an ID or a feature: NV-DDR sends each byte twice
};

class HostBus {
 public:
  // The pins. Each call of advance_after() requests a call of advance() after `delay`.
  class Pins {
   public:
    virtual void drive(const HostPins& pins, bool dq_enable, bool dqs_enable) = 0;
    virtual std::uint8_t sampled_dq() const = 0;
    virtual void advance_after(Tick delay) = 0;

   protected:
    ~Pins() = default;
  };

  explicit HostBus(Pins& pins) : pins_(pins) {}

  // Sets the timing mode. Call it only while no cycles are played.
  void use(TimingMode mode) { mode_ = mode; }
  TimingMode mode() const { return mode_; }

  void play(std::vector<Cycle> cycles);
  bool playing() const { return playing_; }
  // Stops playing at the end of the current cycle or byte.
  void stop();

  // Call when the delay of advance_after() has passed. Returns whether the cycles have ended, including CE_n high for
  // tCEH.
  bool advance();
  // NV-DDR: call tCK/4 after each edge of the target's DQS.
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
  std::uint32_t moved_ = 0;  // bytes of the current cycle transferred so far
  unsigned step_ = 0;        // SDR: step within the current byte
  // NV-DDR.
  unsigned quarter_ = 0;         // the next quarter of the clock's period
  std::uint32_t period_ = 0;     // clock periods of the current cycle so far
  std::uint32_t announced_ = 0;  // bytes of the current cycle announced by CLE and ALE
};

}  // namespace nandscape::rtl::onfi
