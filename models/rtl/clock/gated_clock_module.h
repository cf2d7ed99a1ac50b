// SPDX-License-Identifier: Apache-2.0
// Drives a clock signal, but only while the client has work for the design. The clock is high when it is stopped. The
// falling edge is in the middle of each cycle, and the rising edge is at its end. Inputs that are set at the beginning
// of a cycle are therefore stable long before both edges.
#pragma once

#include <systemc>

#include "core/ticks.h"
#include "rtl/clock/clock.h"

namespace nandscape::rtl {

class GatedClockModule final : public sc_core::sc_module {
 public:
  class Client {
   public:
    // Called at the rising edge that ends cycle `cycle`, counted from 0. Signals still have the values from before the
    // edge.
    virtual void rising_edge(std::uint64_t cycle) = 0;

   protected:
    ~Client() = default;
  };

  sc_core::sc_out<bool> clk{"clk"};

  GatedClockModule(const sc_core::sc_module_name& name, const Clock& clock, Client& client);

  // Starts the clock. The first cycle begins at time `begin`, which must not be in the past.
  void start(Tick begin);
  // Stops the clock. There are no more edges until the next start.
  void stop();

  const Clock& clock() const { return clock_; }
  bool running() const { return running_; }

 private:
  void toggle();
  void rise();
  void notify(Tick at);

  const Clock clock_;
  Client& client_;
  sc_core::sc_event next_;
  bool running_ = false;
  bool high_ = true;
  Tick begin_ = 0;
  std::uint64_t cycle_ = 0;
};

}  // namespace nandscape::rtl
