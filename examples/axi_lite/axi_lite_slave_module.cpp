// SPDX-License-Identifier: Apache-2.0
#include "axi_lite_slave_module.h"

#include <array>
#include <string>

#include "core/error.h"
#include "register_access.h"

using namespace nandscape;

AxiLiteSlaveModule::AxiLiteSlaveModule(const sc_core::sc_module_name& name) : sc_module(name), slave_(*this) {
  SC_HAS_PROCESS(AxiLiteSlaveModule);
  initiator.bind(*this);
  SC_METHOD(rising_edge);
  dont_initialize();
  sensitive << aclk.pos();
  SC_METHOD(show);
  sensitive << pins_changed_;
  SC_THREAD(make_writes);
  SC_THREAD(make_reads);
}

void AxiLiteSlaveModule::rising_edge() {
  if (!aresetn.read()) {
    slave_.reset();
    ++resets_;
    for (Direction* const direction : {&write_, &read_}) direction->begins = direction->ended = false;
  } else {
    slave_.clock({.awaddr = awaddr.read(),
                  .wdata = wdata.read(),
                  .araddr = araddr.read(),
                  .wstrb = static_cast<std::uint8_t>(wstrb.read()),
                  .awvalid = awvalid.read(),
                  .wvalid = wvalid.read(),
                  .bready = bready.read(),
                  .arvalid = arvalid.read(),
                  .rready = rready.read()});
    // Answers are passed to the slave after the clock edge, because the master cannot see them before the next edge.
    answer(write_);
    answer(read_);
  }
  pins_changed_.notify(sc_core::SC_ZERO_TIME);
}

void AxiLiteSlaveModule::access_begins(const AxiLiteAccess& access) {
  if (access.write && access.strobes > 0xf) {
    throw ProtocolError(std::string(wstrb.name()) + ": shows " + std::to_string(access.strobes) +
                        ", but is a port of 4 bits: connect it to one of that width");
  }
  Direction& direction = access.write ? write_ : read_;
  direction.access = access;
  direction.begins = true;
  direction.begun.notify(sc_core::SC_ZERO_TIME);
}

void AxiLiteSlaveModule::answer(Direction& direction) {
  if (!direction.ended) return;
  direction.ended = false;
  slave_.answer(direction.access);
}

// A reset cannot abort a b_transport call in progress, so the result of such a call is discarded when it returns.
void AxiLiteSlaveModule::make_accesses(Direction& direction) {
  for (;;) {
    while (!direction.begins) wait(direction.begun);
    direction.begins = false;
    const std::uint64_t resets = resets_;
    AxiLiteAccess access = direction.access;
    call(access);
    if (resets != resets_) continue;
    direction.access = access;
    direction.ended = true;
  }
}

void AxiLiteSlaveModule::call(AxiLiteAccess& access) {
  std::array<unsigned char, axi_word_bytes> bytes{};
  std::array<unsigned char, axi_word_bytes> enables{};
  for (std::size_t k = 0; k < bytes.size(); ++k) {
    if (access.write) bytes[k] = static_cast<unsigned char>(access.data >> 8 * k);
    enables[k] = (access.strobes >> k & 1) != 0 ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
  }
  Payload payload;
  payload.set_command(access.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  payload.set_address(access.address);
  payload.set_data_ptr(bytes.data());
  payload.set_data_length(axi_word_bytes);
  payload.set_streaming_width(axi_word_bytes);
  if (access.strobes != 0xf) {
    payload.set_byte_enable_ptr(enables.data());
    payload.set_byte_enable_length(axi_word_bytes);
  }
  sc_core::sc_time delay;
  initiator->b_transport(payload, delay);
  wait(delay);
  access.response = to_axi(payload.get_response_status());
  if (access.write) return;
  access.data = 0;
  for (std::size_t k = 0; k < bytes.size(); ++k) access.data |= std::uint32_t{bytes[k]} << 8 * k;
}

tlm::tlm_sync_enum AxiLiteSlaveModule::nb_transport_bw(Payload&, tlm::tlm_phase&, sc_core::sc_time&) {
  throw ProtocolError(std::string(initiator.name()) + ": a phase arrived, but only b_transport was called");
}

void AxiLiteSlaveModule::show() {
  const AxiLiteSlavePins pins = slave_.pins();
  awready.write(pins.awready);
  wready.write(pins.wready);
  bresp.write(static_cast<std::uint32_t>(pins.bresp));
  bvalid.write(pins.bvalid);
  arready.write(pins.arready);
  rdata.write(pins.rdata);
  rresp.write(static_cast<std::uint32_t>(pins.rresp));
  rvalid.write(pins.rvalid);
}
