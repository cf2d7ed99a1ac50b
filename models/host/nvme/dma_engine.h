// SPDX-License-Identifier: Apache-2.0
// The controller's DMA engine: begins the transfers of the controller. Calls the link directly if it may, and the port
// otherwise. The functions are those of DmaPort.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/calendar.h"
#include "host/pcie/dma_port.h"
#include "host/pcie/dma_transfers.h"

namespace nandscape::host {

class DmaEngine {
 public:
  DmaEngine(const Calendar& calendar, DmaPort& port) : calendar_(calendar), port_(port) {}

  // Sets the link that may be called directly; null if there is none (see DirectDma).
  void connect(DmaTransfers* link) {
    link_ = link;
    master_bus(master_);
  }
  // Call when Bus Master Enable changes. While the bit is clear, the port must refuse each transfer.
  void master_bus(bool enabled) {
    master_ = enabled;
    direct_ = enabled ? link_ : nullptr;
  }

  void read(std::uint64_t address, std::byte* into, std::uint32_t bytes, DmaTag tag) {
    if (direct()) [[likely]]
      return direct_->read(address, into, bytes, tag);
    port_.read(address, into, bytes, tag);
  }
  void write(std::uint64_t address, const std::byte* from, std::uint32_t bytes, DmaTag tag, bool more_follow) {
    if (direct()) [[likely]]
      return direct_->write(address, from, bytes, tag, more_follow);
    port_.write(address, from, bytes, tag, more_follow);
  }
  void write_inline(std::uint64_t address, DmaPort::InlineBytes from) {
    if (direct()) return direct_->write_inline(address, from);
    port_.write_inline(address, from);
  }
  void send_message(DmaMessage message) {
    if (direct()) return direct_->send_message(message);
    port_.send_message(message);
  }
  void write_and_interrupt(std::uint64_t address, DmaPort::InlineBytes from, DmaMessage message) {
    if (direct()) [[likely]]
      return direct_->write_and_interrupt(address, from, message);
    port_.write_and_interrupt(address, from, message);
  }
  void set_interrupt_line(bool asserted) {
    if (direct()) return direct_->set_interrupt_line(asserted);
    port_.set_interrupt_line(asserted);
  }

 private:
  // Transfers of DmaTransfers begin at the calendar's time, which is the present only while the calendar runs.
  bool direct() const { return direct_ != nullptr && calendar_.running(); }

  const Calendar& calendar_;
  DmaPort& port_;
  DmaTransfers* link_ = nullptr;
  DmaTransfers* direct_ = nullptr;  // `link_`, or null while Bus Master Enable is clear
  bool master_ = true;
};

}  // namespace nandscape::host
