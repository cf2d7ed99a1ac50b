// SPDX-License-Identifier: Apache-2.0
// A host that drives the pins of an ONFI target. It converts cycles to edges of the signals, which are as fast as the
// timing mode in use allows.
//
// SDR: In each write cycle (tWC), WE_n is low for tWP. In each read cycle (tRC), RE_n is low for tRP, and the byte is
// sampled at the end of the cycle. The EDO modes 4 and 5 require this. For slower modes, the byte is sampled later than
// necessary, but is still valid.
//
// NV-DDR: CLK runs with the period tCK while CE_n is low. The host works in steps of a quarter of a period. Commands,
// addresses, CLE, ALE and W/R_n change with the falling edge of CLK and are latched with the rising edge. The bytes of
// data-in are centred on the edges of DQS, which follow the corresponding CLK after tDQSS = tCK. The bytes of data-out
// are sampled tCK/4 after each edge of the target's DQS.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/ticks.h"
#include "rtl/onfi/pins.h"
#include "rtl/onfi/timing_modes.h"

namespace nandscape::rtl::onfi {

// A step of the host on the bus. A sequence of steps is sent in order while CE_n is low.
struct Cycle {
  enum class Kind : std::uint8_t { command, address, data_in, data_out, wait };

  Kind kind = Kind::wait;
  std::uint8_t byte = 0;            // command, address: the byte on DQ
  Tick time = 0;                    // duration of a wait
  std::uint32_t count = 0;          // data_in, data_out: number of bytes
  std::byte* data = nullptr;        // data_out: destination; if null, the bytes are dropped
  const std::byte* from = nullptr;  // data_in: source; if null, the bytes are FFh
  bool single_bytes = false;        // a status, an ID or a feature, whose bytes are each sent twice in NV-DDR
};

class HostBus {
 public:
  // Access to the pins. Each call of advance_after() requests that HostBus::advance() is called after `delay`.
  class Pins {
   public:
    virtual void drive(const HostPins& pins, bool dq_enable, bool dqs_enable) = 0;
    virtual std::uint8_t sampled_dq() const = 0;
    virtual void advance_after(Tick delay) = 0;

   protected:
    ~Pins() = default;
  };

  explicit HostBus(Pins& pins) : pins_(pins) {}

  // Sets the timing mode. Must not be called while cycles are being sent.
  void use(TimingMode mode) { mode_ = mode; }
  TimingMode mode() const { return mode_; }

  void play(std::vector<Cycle> cycles);
  bool playing() const { return playing_; }
  // Stops the sequence at the end of the current cycle or byte.
  void stop();

  // Call this function when the delay that was passed to advance_after() has elapsed. Returns true if all cycles have
  // ended and CE_n has been high for tCEH.
  bool advance();
  // NV-DDR: call this function tCK/4 after each edge of the target's DQS. It samples a byte of data-out.
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
  std::uint32_t moved_ = 0;  // bytes that were transferred in the current cycle
  unsigned step_ = 0;        // SDR: step within the current byte
  // State that is used only in NV-DDR.
  unsigned quarter_ = 0;         // number of the next quarter of the clock period
  std::uint32_t period_ = 0;     // clock periods since the beginning of the current cycle
  std::uint32_t announced_ = 0;  // bytes of the current cycle that CLE and ALE have announced
};

}  // namespace nandscape::rtl::onfi
