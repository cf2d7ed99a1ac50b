// SPDX-License-Identifier: Apache-2.0
#include "rtl/onfi/host_bus.h"

#include <algorithm>
#include <utility>

namespace nandscape::rtl::onfi {

void HostBus::play(std::vector<Cycle> cycles) {
  cycles_ = std::move(cycles);
  cycle_ = 0;
  playing_ = true;
  stopped_ = false;
  phase_ = Phase::setup;
  step_ = quarter_ = period_ = moved_ = announced_ = 0;
  levels_ = {};
  levels_.ce_n = false;
  drive();
  pins_.advance_after(host_waits(mode_).chip_setup);
}

void HostBus::stop() { stopped_ = true; }

bool HostBus::advance() {
  switch (phase_) {
    case Phase::setup: phase_ = Phase::cycles; [[fallthrough]];
    case Phase::cycles:
      if (mode_.interface == Interface::sdr) {
        sdr();
      } else {
        nv_ddr();
      }
      return false;
    case Phase::hold: {
      levels_ = {};
      dq_enable_ = dqs_enable_ = false;
      drive();
      phase_ = Phase::high;
      const HostWaits waits = host_waits(mode_);
      const bool read = std::any_of(cycles_.begin(), cycles_.end(),
                                    [](const Cycle& cycle) { return cycle.kind == Cycle::Kind::data_out; });
      pins_.advance_after(read ? std::max(waits.chip_high, waits.read_to_write) : waits.chip_high);
      return false;
    }
    case Phase::high: break;
  }
  playing_ = false;
  return true;
}

// Continues with the next cycle. Returns false if there is none or if the host has been stopped.
bool HostBus::next_cycle() {
  ++cycle_;
  step_ = period_ = moved_ = announced_ = 0;
  return cycle_ < cycles_.size() && !stopped_;
}

void HostBus::finish() {
  levels_.cle = levels_.ale = false;
  drive();
  phase_ = Phase::hold;
  pins_.advance_after(host_waits(mode_).chip_hold);
}

void HostBus::drive() { pins_.drive(levels_, dq_enable_, dqs_enable_); }

std::uint32_t HostBus::bus_bytes(const Cycle& cycle) const {
  if (mode_.interface == Interface::sdr) return cycle.count;
  return cycle.single_bytes ? 2 * cycle.count : (cycle.count + 1) & ~1u;
}

std::uint8_t HostBus::next_byte_in() {
  const Cycle& cycle = cycles_[cycle_];
  const bool twice = cycle.single_bytes && mode_.interface == Interface::nv_ddr;
  const std::uint32_t byte = twice ? moved_ / 2 : moved_;
  ++moved_;
  if (cycle.from == nullptr || byte >= cycle.count) return 0xff;
  return std::to_integer<std::uint8_t>(cycle.from[byte]);
}

void HostBus::byte_out() {
  const Cycle& cycle = cycles_[cycle_];
  const bool twice = cycle.single_bytes && mode_.interface == Interface::nv_ddr;
  const std::uint32_t byte = twice ? moved_ / 2 : moved_;
  ++moved_;
  if (cycle.data != nullptr && byte < cycle.count) cycle.data[byte] = std::byte{pins_.sampled_dq()};
}

void HostBus::sdr() {
  for (;;) {
    const Cycle& cycle = cycles_[cycle_];
    const std::uint8_t mode = mode_.mode;
    switch (cycle.kind) {
      case Cycle::Kind::command:
      case Cycle::Kind::address:
        if (step_ == 2) break;
        return sdr_write(cycle.kind == Cycle::Kind::command, cycle.kind == Cycle::Kind::address, cycle.byte);
      case Cycle::Kind::data_in:
        if (step_ == 2) step_ = 0;
        if (step_ == 0 && (stopped_ || moved_ == cycle.count)) break;
        return sdr_write(false, false, step_ == 0 ? next_byte_in() : levels_.dq);
      case Cycle::Kind::data_out:
        if (step_ == 2) {
          byte_out();
          step_ = 0;
        }
        if (step_ == 0 && (stopped_ || moved_ == cycle.count)) break;
        return sdr_read();
      case Cycle::Kind::wait:
        if (step_ == 1) break;
        levels_.cle = levels_.ale = dq_enable_ = false;
        drive();
        step_ = 1;
        return pins_.advance_after(std::max(cycle.time, sdr_times(mode).write_cycle));
    }
    if (!next_cycle()) return finish();
  }
}

void HostBus::sdr_write(bool cle, bool ale, std::uint8_t byte) {
  const SdrTimes& times = sdr_times(mode_.mode);
  levels_.cle = cle;
  levels_.ale = ale;
  levels_.dq = byte;
  dq_enable_ = true;
  levels_.we_n = step_ == 1;
  drive();
  pins_.advance_after(step_ == 0 ? times.write_pulse : times.write_cycle - times.write_pulse);
  ++step_;
}

void HostBus::sdr_read() {
  const SdrTimes& times = sdr_times(mode_.mode);
  dq_enable_ = false;
  levels_.cle = levels_.ale = false;
  levels_.re_n = step_ == 1;
  drive();
  pins_.advance_after(step_ == 0 ? times.read_pulse : times.read_cycle - times.read_pulse);
  ++step_;
}

std::uint32_t HostBus::periods(Tick time) const {
  const Tick clock = nv_ddr_times(mode_.mode).clock;
  return std::max<std::uint32_t>(1, static_cast<std::uint32_t>((time + clock - 1) / clock));
}

void HostBus::nv_ddr() {
  const unsigned quarter = std::exchange(quarter_, (quarter_ + 1) % 4);
  if (quarter == 0) {
    clock_period_begins();
    if (phase_ != Phase::cycles) return;
  }
  if (quarter == 2) levels_.we_n = true;
  const Cycle& cycle = cycles_[cycle_];
  if (cycle.kind == Cycle::Kind::data_in && period_ > 1) {
    // These bytes were announced with CLE and ALE in the previous period.
    const bool pair = moved_ < bus_bytes(cycle) && moved_ < 2 * (period_ - 1);
    if (quarter == 1 && pair) levels_.dq = next_byte_in();
    if (quarter == 2 && moved_ % 2 == 1) levels_.dqs = true;
    if (quarter == 3 && moved_ % 2 == 1) levels_.dq = next_byte_in();
  }
  drive();
  pins_.advance_after(quarter_clock());
}

// Called when CLK falls. Drives the values that the target latches at the next rising edge.
void HostBus::clock_period_begins() {
  for (;;) {
    const Cycle& cycle = cycles_[cycle_];
    const std::uint32_t bytes = bus_bytes(cycle);
    levels_.we_n = false;
    levels_.cle = levels_.ale = levels_.dqs = false;
    bool over = false;
    switch (cycle.kind) {
      case Cycle::Kind::command:
      case Cycle::Kind::address:
        over = period_ == periods(nv_ddr_times(mode_.mode).command_spacing);
        dq_enable_ = !over;
        levels_.cle = period_ == 0 && cycle.kind == Cycle::Kind::command;
        levels_.ale = period_ == 0 && cycle.kind == Cycle::Kind::address;
        levels_.dq = cycle.byte;
        break;
      case Cycle::Kind::data_in:
        // In the period after the last pair of bytes, the strobe falls for the last byte. One more period is the
        // postamble of the strobe. If the transfer was stopped, it may end after the first byte of a pair. The target
        // drops this byte when CE_n rises.
        over = stopped_ || period_ >= bytes / 2 + 3;
        dq_enable_ = dqs_enable_ = !over;
        levels_.cle = levels_.ale = !over && announced_ < bytes;
        if (levels_.cle) announced_ += 2;
        break;
      case Cycle::Kind::data_out: {
        const std::uint32_t turn = periods(nv_ddr_times(mode_.mode).turn_around);
        over = moved_ == bytes || (stopped_ && moved_ == announced_);
        dq_enable_ = false;
        levels_.re_n = over;
        levels_.cle = levels_.ale = !over && !stopped_ && period_ >= turn && announced_ < bytes;
        if (levels_.cle) announced_ += 2;
        break;
      }
      case Cycle::Kind::wait:
        over = period_ == periods(cycle.time);
        dq_enable_ = dqs_enable_ = false;
        break;
    }
    ++period_;
    if (!over) return;
    if (!next_cycle()) return finish();
  }
}

void HostBus::strobe_seen() {
  if (!playing_ || cycle_ >= cycles_.size() || cycles_[cycle_].kind != Cycle::Kind::data_out) return;
  if (moved_ < announced_) byte_out();
}

}  // namespace nandscape::rtl::onfi
