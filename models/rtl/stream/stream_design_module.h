// SPDX-License-Identifier: Apache-2.0
// A C++ design with the same ports as an RTL design. StreamPinsModule can drive it in the same way. Each cycle is
// computed at the falling edge of the clock, when the inputs that were set after the previous rising edge are stable.
// The outputs are sampled at the next rising edge.
#pragma once

#include <memory>
#include <systemc>

#include "rtl/stream/clocked_stream.h"

namespace nandscape::rtl {

class StreamDesignModule final : public sc_core::sc_module {
 public:
  StreamDesignModule(const sc_core::sc_module_name& name, std::unique_ptr<ClockedStream> design);

  sc_core::sc_in<bool> clk{"clk"};
  sc_core::sc_in<bool> rst_n{"rst_n"};

  sc_core::sc_in<std::uint64_t> s_data{"s_data"};
  sc_core::sc_in<std::uint32_t> s_keep{"s_keep"};
  sc_core::sc_in<bool> s_valid{"s_valid"};
  sc_core::sc_in<bool> s_last{"s_last"};
  sc_core::sc_in<std::uint64_t> seed{"seed"};
  sc_core::sc_out<bool> s_ready{"s_ready"};

  sc_core::sc_out<std::uint64_t> m_data{"m_data"};
  sc_core::sc_out<std::uint32_t> m_keep{"m_keep"};
  sc_core::sc_out<bool> m_valid{"m_valid"};
  sc_core::sc_out<bool> m_last{"m_last"};
  sc_core::sc_out<bool> m_fail{"m_fail"};
  sc_core::sc_out<std::uint32_t> m_corrected{"m_corrected"};
  sc_core::sc_in<bool> m_ready{"m_ready"};

 private:
  void cycle();

  const std::unique_ptr<ClockedStream> design_;
};

}  // namespace nandscape::rtl
