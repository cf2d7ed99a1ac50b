// SPDX-License-Identifier: Apache-2.0
#include "axi_lite_master_module.h"

#include <string>
#include <utility>

#include "core/error.h"
#include "protocol/entry_time.h"
#include "register_access.h"

using namespace nandscape;
using namespace nandscape::rtl;

AxiLiteMasterModule::AxiLiteMasterModule(const sc_core::sc_module_name& name, const AxiLiteTiming& timing)
    : sc_module(name),
      master_(this->name(), Clock(timing.clock_mhz), ticks_from_us(timing.watchdog_us)),
      clock_module_("clock", Clock(timing.clock_mhz), *this) {
  SC_HAS_PROCESS(AxiLiteMasterModule);
  target.bind(*this);
  clock_module_.clk(aclk);
  SC_METHOD(power_on);
  SC_METHOD(show);
  sensitive << pins_changed_;
}

void AxiLiteMasterModule::reset() {
  resetting_ = true;
  master_.reset();
  pins_changed_.notify(sc_core::SC_ZERO_TIME);
  clock_module_.start(to_ticks(sc_core::sc_time_stamp()));
}

void AxiLiteMasterModule::b_transport(Payload& payload, sc_core::sc_time& delay) {
  if (!in_waiting_process()) {
    throw ProtocolError(std::string(target.name()) + ": b_transport takes simulated time, and is called from " +
                        calling_process() + ", which is not an SC_THREAD");
  }
  // Signals have no annotated delays, so wait until the time at which the call takes effect.
  if (delay != sc_core::SC_ZERO_TIME) wait(std::exchange(delay, sc_core::SC_ZERO_TIME));
  one_at_a_time_.lock();
  if (to_axi(payload, access_)) {
    waiting_ = true;
    if (!resetting_) begin();
    wait(ended_);
    waiting_ = false;
    if (error_ != nullptr) {
      one_at_a_time_.unlock();
      std::rethrow_exception(std::exchange(error_, nullptr));
    }
    end_transaction(payload, master_.access());
  }
  one_at_a_time_.unlock();
}

tlm::tlm_sync_enum AxiLiteMasterModule::nb_transport_fw(Payload&, tlm::tlm_phase&, sc_core::sc_time&) {
  throw ProtocolError(std::string(target.name()) + ": registers on wires accept only b_transport from an SC_THREAD");
}

void AxiLiteMasterModule::begin() {
  master_.begin(access_);
  pins_changed_.notify(sc_core::SC_ZERO_TIME);
  clock_module_.start(to_ticks(sc_core::sc_time_stamp()));
}

void AxiLiteMasterModule::rising_edge(std::uint64_t cycle) {
  // An error is stored here, because it must be thrown in the thread that waits in b_transport and not in this process.
  try {
    run_cycle(cycle);
  } catch (...) {
    error_ = std::current_exception();
    clock_module_.stop();
    ended_.notify(sc_core::SC_ZERO_TIME);
  }
}

void AxiLiteMasterModule::run_cycle(std::uint64_t cycle) {
  if (resetting_) {
    if (cycle + 1 < reset_cycles) return;
    resetting_ = false;
    pins_changed_.notify(sc_core::SC_ZERO_TIME);
    clock_module_.stop();
    if (waiting_) begin();
    return;
  }
  master_.clock(slave_pins());
  pins_changed_.notify(sc_core::SC_ZERO_TIME);
  if (!master_.ended()) return;
  clock_module_.stop();
  ended_.notify(sc_core::SC_ZERO_TIME);
}

AxiLiteSlavePins AxiLiteMasterModule::slave_pins() const {
  AxiLiteSlavePins pins;
  pins.awready = awready.read();
  pins.wready = wready.read();
  pins.bvalid = bvalid.read();
  if (pins.bvalid) pins.bresp = response(bresp);
  pins.arready = arready.read();
  pins.rvalid = rvalid.read();
  if (!pins.rvalid) return pins;
  pins.rresp = response(rresp);
  pins.rdata = rdata.read();
  return pins;
}

AxiResponse AxiLiteMasterModule::response(const sc_core::sc_in<std::uint32_t>& port) const {
  const std::uint32_t value = port.read();
  if (value <= 3) return static_cast<AxiResponse>(value);
  throw ProtocolError(std::string(port.name()) + ": shows " + std::to_string(value) +
                      ", but is a port of 2 bits: connect it to one of that width");
}

// Writes all output signals. No other process writes them, since SystemC allows a signal only one writer.
void AxiLiteMasterModule::show() {
  const AxiLiteMasterPins& pins = master_.pins();
  aresetn.write(!resetting_);
  awaddr.write(pins.awaddr);
  awprot.write(0);
  awvalid.write(pins.awvalid);
  wdata.write(pins.wdata);
  wstrb.write(pins.wstrb);
  wvalid.write(pins.wvalid);
  bready.write(pins.bready);
  araddr.write(pins.araddr);
  arprot.write(0);
  arvalid.write(pins.arvalid);
  rready.write(pins.rready);
}
