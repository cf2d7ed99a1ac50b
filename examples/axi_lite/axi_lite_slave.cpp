// SPDX-License-Identifier: Apache-2.0
#include "axi_lite_slave.h"

namespace {

// Returns the address of the whole word, because the data signals carry a word even if a byte is addressed.
std::uint32_t word_address(std::uint32_t address) { return address / axi_word_bytes * axi_word_bytes; }

}  // namespace

AxiLiteSlavePins AxiLiteSlave::pins() const {
  AxiLiteSlavePins pins;
  pins.awready = write_step_ == Step::request && !has_write_address_;
  pins.wready = write_step_ == Step::request && !has_write_data_;
  pins.arready = read_step_ == Step::request;
  pins.bvalid = write_step_ == Step::response;
  if (pins.bvalid) pins.bresp = write_.response;
  pins.rvalid = read_step_ == Step::response;
  if (pins.rvalid) {
    pins.rresp = read_.response;
    pins.rdata = read_.data;
  }
  return pins;
}

void AxiLiteSlave::clock(const AxiLiteMasterPins& master) {
  const AxiLiteSlavePins shown = pins();
  clock_write(master, shown);
  clock_read(master, shown);
}

void AxiLiteSlave::clock_write(const AxiLiteMasterPins& master, const AxiLiteSlavePins& shown) {
  if (shown.bvalid && master.bready) write_step_ = Step::request;
  if (shown.awready && master.awvalid) {
    has_write_address_ = true;
    write_.address = word_address(master.awaddr);
  }
  if (shown.wready && master.wvalid) {
    has_write_data_ = true;
    write_.data = master.wdata;
    write_.strobes = master.wstrb;
  }
  if (!has_write_address_ || !has_write_data_) return;
  has_write_address_ = has_write_data_ = false;
  write_step_ = Step::answer;
  write_.write = true;
  write_.response = AxiResponse::okay;
  owner_.access_begins(write_);
}

void AxiLiteSlave::clock_read(const AxiLiteMasterPins& master, const AxiLiteSlavePins& shown) {
  if (shown.rvalid && master.rready) read_step_ = Step::request;
  if (!shown.arready || !master.arvalid) return;
  read_step_ = Step::answer;
  read_ = {.address = word_address(master.araddr)};
  owner_.access_begins(read_);
}

void AxiLiteSlave::answer(const AxiLiteAccess& access) {
  if (access.write) {
    write_.response = access.response;
    write_step_ = Step::response;
  } else {
    read_.response = access.response;
    read_.data = access.data;
    read_step_ = Step::response;
  }
}

void AxiLiteSlave::reset() {
  write_step_ = read_step_ = Step::request;
  has_write_address_ = has_write_data_ = false;
}
