// SPDX-License-Identifier: Apache-2.0
// A design written in C++, wires to it, and the driver in front of the wires.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <utility>

#include "rtl/stream/stream_design_module.h"
#include "rtl/stream/stream_pins_module.h"

namespace nandscape::rtl {

// The wires that connect a driver to a design with the same ports.
class StreamWires {
 public:
  void bind(StreamPinsModule& driver, const StreamPorts& ports, StreamDesignModule& design) {
    join(driver.clk, design.clk, clk_);
    join(driver.rst_n, design.rst_n, rst_n_);
    join(driver.s_data, design.s_data, s_data_);
    join(driver.s_keep, design.s_keep, s_keep_);
    join(driver.s_valid, design.s_valid, s_valid_);
    join(driver.s_last, design.s_last, s_last_);
    join(driver.s_ready, design.s_ready, s_ready_);
    join(driver.m_data, design.m_data, m_data_);
    join(driver.m_keep, design.m_keep, m_keep_);
    join(driver.m_valid, design.m_valid, m_valid_);
    join(driver.m_last, design.m_last, m_last_);
    join(driver.m_ready, design.m_ready, m_ready_);
    design.seed(seed_);
    design.m_fail(m_fail_);
    design.m_corrected(m_corrected_);
    if (ports.seed) driver.seed(seed_);
    if (ports.outcome) {
      driver.m_fail(m_fail_);
      driver.m_corrected(m_corrected_);
    }
  }

 private:
  static void join(auto& driver, auto& design, auto& wire) {
    driver(wire);
    design(wire);
  }

  sc_core::sc_signal<bool> clk_, rst_n_, s_valid_, s_last_, s_ready_, m_valid_, m_last_, m_ready_, m_fail_;
  sc_core::sc_signal<std::uint64_t> s_data_, seed_, m_data_;
  sc_core::sc_signal<std::uint32_t> s_keep_, m_keep_, m_corrected_;
};

// A driver and a design, connected by wires.
struct DesignOnWires {
  DesignOnWires(const char* name, Calendar& calendar, const StreamTiming& timing, const StreamPorts& ports,
                std::unique_ptr<ClockedStream> of)
      : driver(name, calendar, timing, ports), design((std::string(name) + "_design").c_str(), std::move(of)) {
    wires.bind(driver, ports, design);
  }

  StreamPinsModule driver;
  StreamDesignModule design;
  StreamWires wires;
};

}  // namespace nandscape::rtl
