// SPDX-License-Identifier: Apache-2.0
#include "rtl/stream/stream_pins_module.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "protocol/entry_time.h"

namespace nandscape::rtl {

StreamPinsModule::StreamPinsModule(const sc_core::sc_module_name& name, Calendar& calendar, const StreamTiming& timing,
                                   const StreamPorts& ports)
    : sc_module(name),
      StreamDriver(this->name(), calendar, timing),
      ports_(ports),
      clock_module_("clock", clock(), *this) {
  SC_HAS_PROCESS(StreamPinsModule);
  clock_module_.clk(clk);
  SC_METHOD(power_on);
  SC_METHOD(show);
  sensitive << inputs_changed_;
}

void StreamPinsModule::end_of_elaboration() {
  const auto require = [&](bool needed, bool bound, const sc_core::sc_object& port) {
    if (needed == bound) return;
    throw ProtocolError(
        std::string(port.name()) +
        (needed ? ": is not bound, but the design has such a port" : ": is bound, but the design has no such port") +
        ": decoders have m_fail and m_corrected, scramblers have seed");
  };
  require(ports_.seed, seed.size() != 0, seed);
  require(ports_.outcome, m_fail.size() != 0, m_fail);
  require(ports_.outcome, m_corrected.size() != 0, m_corrected);
  if (waves_ == nullptr) return;
  if (ports_.seed) sc_core::sc_trace(waves_, seed->read(), seed.name());
  if (ports_.outcome) {
    sc_core::sc_trace(waves_, m_fail->read(), m_fail.name());
    sc_core::sc_trace(waves_, m_corrected->read(), m_corrected.name(), 16);
  }
}

void StreamPinsModule::record(sc_core::sc_trace_file& file) {
  waves_ = &file;
  const auto add = [&file](const auto&... ports) { (sc_core::sc_trace(&file, ports, ports.name()), ...); };
  add(clk, rst_n, s_data, s_keep, s_valid, s_last, s_ready, m_data, m_keep, m_valid, m_last, m_ready);
}

void StreamPinsModule::reset() {
  if (!idle()) hold_calendar(true);
  resetting_ = true;
  ++run_;
  inputs_changed_.notify(sc_core::SC_ZERO_TIME);
  // After a power cut, the calendar continues at the time at which it was interrupted. The kernel may not have reached
  // that time yet.
  clock_module_.start(std::max(calendar().now(), kernel_time(calendar())));
}

void StreamPinsModule::start() {
  hold_calendar(true);
  // If a reset is in progress, the frames are sent when it ends.
  if (!resetting_) begin_frames(calendar().now());
}

void StreamPinsModule::begin_frames(Tick now) {
  transfer().begin(frames());
  inputs_changed_.notify(sc_core::SC_ZERO_TIME);
  clock_module_.start(now);
}

void StreamPinsModule::rising_edge(std::uint64_t cycle) {
  // An exception that leaves a SystemC process would end the whole SystemC context. It is therefore stored and thrown
  // from an event of the calendar.
  try {
    run_cycle(cycle);
  } catch (...) {
    clock_module_.stop();
    error_ = std::current_exception();
    calendar().schedule<&StreamPinsModule::fail>(calendar().now(), *this);
    hold_calendar(false);
  }
}

void StreamPinsModule::run_cycle(std::uint64_t cycle) {
  if (resetting_) {
    if (cycle + 1 < reset_cycles) return;
    resetting_ = false;
    inputs_changed_.notify(sc_core::SC_ZERO_TIME);
    clock_module_.stop();
    if (!idle()) begin_frames(kernel_time(calendar()));
    return;
  }
  transfer().clock(outputs());
  inputs_changed_.notify(sc_core::SC_ZERO_TIME);
  if (!transfer().ended()) return;
  clock_module_.stop();
  calendar().schedule<&StreamPinsModule::end>(entry_time(calendar(), sc_core::SC_ZERO_TIME, name()), *this, run_);
  hold_calendar(false);
}

// Writes the input signals of the design. This is the only process that writes them, because a signal must have a
// single writer.
void StreamPinsModule::show() {
  const ClockedStream::Inputs& inputs = transfer().inputs();
  rst_n.write(!resetting_);
  s_data.write(inputs.in.data);
  s_keep.write(inputs.in.keep);
  s_valid.write(inputs.in.valid && !resetting_);
  s_last.write(inputs.in.last);
  m_ready.write(inputs.out_ready);
  if (ports_.seed) seed->write(inputs.seed);
}

ClockedStream::Outputs StreamPinsModule::outputs() const {
  ClockedStream::Outputs outputs;
  outputs.in_ready = s_ready.read();
  outputs.out.valid = m_valid.read();
  if (!outputs.out.valid) return outputs;
  outputs.out.data = m_data.read();
  outputs.out.keep = static_cast<std::uint8_t>(checked(m_keep.read(), 8, m_keep));
  outputs.out.last = m_last.read();
  if (ports_.outcome && outputs.out.last) {
    outputs.fail = m_fail->read();
    outputs.corrected = static_cast<std::uint16_t>(checked(m_corrected->read(), 16, m_corrected));
  }
  return outputs;
}

std::uint32_t StreamPinsModule::checked(std::uint32_t value, unsigned int bits, const sc_core::sc_object& port) const {
  if (value >> bits == 0) return value;
  throw ProtocolError(std::string(port.name()) + ": shows " + std::to_string(value) + ", but is a port of " +
                      std::to_string(bits) + " bits: connect it to one of that width");
}

void StreamPinsModule::hold_calendar(bool held) {
  if (held == held_) return;
  held_ = held;
  held ? calendar().hold() : calendar().release();
}

void StreamPinsModule::end(std::uint64_t run) {
  if (run == run_) end_batch();
}

void StreamPinsModule::fail() { std::rethrow_exception(std::exchange(error_, nullptr)); }

}  // namespace nandscape::rtl
