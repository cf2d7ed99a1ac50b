// SPDX-License-Identifier: Apache-2.0
#include "axi_lite_master.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "core/error.h"

using namespace nandscape;
using namespace nandscape::rtl;

AxiLiteMaster::AxiLiteMaster(std::string design, const Clock& clock, Tick watchdog)
    : design_(std::move(design)),
      clock_(clock),
      watchdog_cycles_(std::max<std::uint64_t>(clock.cycles_in(watchdog), 1)) {}

void AxiLiteMaster::begin(const AxiLiteAccess& access) {
  access_ = access;
  busy_ = true;
  cycles_ = silence_ = 0;
  pins_ = {};
  if (access.write) {
    pins_.awaddr = access.address;
    pins_.wdata = access.data;
    pins_.wstrb = access.strobes;
    pins_.awvalid = pins_.wvalid = pins_.bready = true;
  } else {
    pins_.araddr = access.address;
    pins_.arvalid = pins_.rready = true;
  }
}

void AxiLiteMaster::clock(const AxiLiteSlavePins& slave) {
  // A slave responds only after it has accepted the request, and must not wait for ready to do so [A3.3.1].
  if (slave.bvalid && !(busy_ && access_.write && !pins_.awvalid && !pins_.wvalid)) {
    refuse("bvalid comes without a write whose address and data have been accepted");
  }
  if (slave.rvalid && !(busy_ && !access_.write && !pins_.arvalid)) {
    refuse("rvalid comes without a read whose address has been accepted");
  }
  if (!busy_) return;
  ++cycles_;
  const bool moved = access_.write ? clock_write(slave) : clock_read(slave);
  silence_ = moved ? 0 : silence_ + 1;
  if (silence_ >= watchdog_cycles_) refuse_silence();
}

bool AxiLiteMaster::clock_write(const AxiLiteSlavePins& slave) {
  if (slave.bvalid) {
    access_.response = slave.bresp;
    end();
    return true;
  }
  const bool address = pins_.awvalid && slave.awready;
  const bool data = pins_.wvalid && slave.wready;
  if (address) pins_.awvalid = false;
  if (data) pins_.wvalid = false;
  return address || data;
}

bool AxiLiteMaster::clock_read(const AxiLiteSlavePins& slave) {
  if (slave.rvalid) {
    access_.response = slave.rresp;
    access_.data = slave.rdata;
    end();
    return true;
  }
  if (!pins_.arvalid || !slave.arready) return false;
  pins_.arvalid = false;
  return true;
}

void AxiLiteMaster::end() {
  busy_ = false;
  pins_ = {};
}

void AxiLiteMaster::reset() { end(); }

void AxiLiteMaster::refuse(const std::string& what) const {
  char address[16];
  std::snprintf(address, sizeof address, "0x%x", access_.address);
  throw ProtocolError(design_ + ", " + (access_.write ? "write" : "read") + " of " + address + ": " + what);
}

void AxiLiteMaster::refuse_silence() const {
  std::string missing;
  const auto add = [&](bool waits, const char* port) {
    if (waits) missing += (missing.empty() ? "" : " and ") + std::string(port);
  };
  add(pins_.awvalid, "awready");
  add(pins_.wvalid, "wready");
  add(pins_.arvalid, "arready");
  if (missing.empty()) missing = access_.write ? "bvalid" : "rvalid";
  refuse("no handshake for " + std::to_string(silence_) + " cycles (" +
         std::to_string(us_from_ticks(clock_.span(silence_))) + " us at " + std::to_string(clock_.mhz()) +
         " MHz): " + missing + (pins_.awvalid && pins_.wvalid ? " stay" : " stays") +
         " low; check the clock, the reset and these ports, or set a longer watchdog");
}
