// SPDX-License-Identifier: Apache-2.0
#include "rtl/clock/gated_clock_module.h"

#include "protocol/simulated_time.h"

namespace nandscape::rtl {

GatedClockModule::GatedClockModule(const sc_core::sc_module_name& name, const Clock& clock, Client& client)
    : sc_module(name), clock_(clock), client_(client) {
  SC_HAS_PROCESS(GatedClockModule);
  clk.initialize(true);
  SC_METHOD(toggle);
  dont_initialize();
  sensitive << next_;
  SC_METHOD(rise);
  dont_initialize();
  sensitive << clk.pos();
}

void GatedClockModule::start(Tick begin) {
  running_ = true;
  begin_ = begin;
  cycle_ = 0;
  next_.cancel();
  // If the clock is restarted in the second half of a cycle, it is already low.
  notify(begin_ + (high_ ? clock_.middle(0) : clock_.span(1)));
}

void GatedClockModule::stop() {
  running_ = false;
  next_.cancel();
}

void GatedClockModule::toggle() {
  high_ = !high_;
  clk.write(high_);
  notify(begin_ + (high_ ? clock_.middle(cycle_ + 1) : clock_.span(cycle_ + 1)));
}

void GatedClockModule::rise() {
  // An edge that occurs at the time of a stop or of a new start does not end a cycle.
  const bool ends_cycle = running_ && to_ticks(sc_core::sc_time_stamp()) == begin_ + clock_.span(cycle_ + 1);
  if (ends_cycle) client_.rising_edge(cycle_++);
}

void GatedClockModule::notify(Tick at) { next_.notify(to_sc_time(at - to_ticks(sc_core::sc_time_stamp()))); }

}  // namespace nandscape::rtl
