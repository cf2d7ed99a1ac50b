// SPDX-License-Identifier: Apache-2.0
// A clock on a wire that runs only while somebody has work for the design. While it rests it stands high: each cycle
// has its falling edge in the middle and its rising edge at the end. So what is set when a cycle begins is stable long
// before both.
#pragma once

#include <systemc>

#include "core/ticks.h"
#include "rtl/clock/clock.h"

namespace nandscape::rtl {

class GatedClockModule final : public sc_core::sc_module {
 public:
  class Client {
   public:
    // At the edge that ends cycle number `cycle`, counted from 0: signals still have the values from before it.
    virtual void rising_edge(std::uint64_t cycle) = 0;

   protected:
    ~Client() = default;
  };

  sc_core::sc_out<bool> clk{"clk"};

  GatedClockModule(const sc_core::sc_module_name& name, const Clock& clock, Client& client);

  // The first cycle begins at that time, which is not in the past.
  void start(Tick begin);
  // No edge follows.
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
