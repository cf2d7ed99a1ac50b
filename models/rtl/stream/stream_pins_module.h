// SPDX-License-Identifier: Apache-2.0
// Drives a design with stream ports through SystemC signals. The ports have the same types as the ports of a SystemC
// model that Verilator generates, so such a model can be bound to the same signals. Other simulators can be connected
// with their own SystemC wrappers. Signals of these types cannot have the values X and Z.
//
// The driver also drives the clock, which runs only while the design is reset or has frames to process (see
// rtl/clock/gated_clock_module.h). The calendar must not run ahead of the SystemC kernel. Call
// CalendarModule::limit_lookahead(0).
//
// The timing is the same as with ClockedStreamDriver. The design performs the same action in the same cycle at the same
// tick.
#pragma once

#include <exception>
#include <string>
#include <systemc>

#include "rtl/clock/gated_clock_module.h"
#include "rtl/stream/stream_driver.h"

namespace nandscape::rtl {

// Optional ports. They are bound only for designs that have these ports.
struct StreamPorts {
  bool outcome = false;  // has the ports m_fail and m_corrected
  bool seed = false;     // has the port seed
};
inline constexpr StreamPorts decoder_ports{.outcome = true};
inline constexpr StreamPorts encoder_ports{};
inline constexpr StreamPorts scrambler_ports{.seed = true};

class StreamPinsModule final : public sc_core::sc_module, public StreamDriver, private GatedClockModule::Client {
 public:
  StreamPinsModule(const sc_core::sc_module_name& name, Calendar& calendar, const StreamTiming& timing,
                   const StreamPorts& ports);

  sc_core::sc_out<bool> clk{"clk"};
  sc_core::sc_out<bool> rst_n{"rst_n"};

  sc_core::sc_out<std::uint64_t> s_data{"s_data"};
  sc_core::sc_out<std::uint32_t> s_keep{"s_keep"};  // 8 bits
  sc_core::sc_out<bool> s_valid{"s_valid"};
  sc_core::sc_out<bool> s_last{"s_last"};
  sc_core::sc_in<bool> s_ready{"s_ready"};

  sc_core::sc_in<std::uint64_t> m_data{"m_data"};
  sc_core::sc_in<std::uint32_t> m_keep{"m_keep"};  // 8 bits
  sc_core::sc_in<bool> m_valid{"m_valid"};
  sc_core::sc_in<bool> m_last{"m_last"};
  sc_core::sc_out<bool> m_ready{"m_ready"};

  template <class Interface>
  using OptionalPort = sc_core::sc_port<Interface, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;
  OptionalPort<sc_core::sc_signal_inout_if<std::uint64_t>> seed{"seed"};
  OptionalPort<sc_core::sc_signal_in_if<bool>> m_fail{"m_fail"};
  OptionalPort<sc_core::sc_signal_in_if<std::uint32_t>> m_corrected{"m_corrected"};  // 16 bits

  void reset() override;

  // Records the waves of all ports in `file`, which must have been created with sc_create_vcd_trace_file(). Call this
  // function before elaboration, and close the file after the simulation.
  void record(sc_core::sc_trace_file& file);

 private:
  void end_of_elaboration() override;
  void power_on() { reset(); }
  void start() override;
  void begin_frames(Tick now);
  void rising_edge(std::uint64_t cycle) override;
  void run_cycle(std::uint64_t cycle);
  void show();
  ClockedStream::Outputs outputs() const;
  void hold_calendar(bool held);
  void end(std::uint64_t run);
  void fail();
  std::uint32_t checked(std::uint32_t value, unsigned int bits, const sc_core::sc_object& port) const;

  const StreamPorts ports_;
  GatedClockModule clock_module_;
  sc_core::sc_trace_file* waves_ = nullptr;
  sc_core::sc_event inputs_changed_;
  bool resetting_ = true;
  bool held_ = false;      // the calendar is held because the design has frames to process
  std::uint64_t run_ = 0;  // number of the latest run; earlier runs were interrupted by a reset
  std::exception_ptr error_;
};

}  // namespace nandscape::rtl
