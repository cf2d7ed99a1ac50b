// SPDX-License-Identifier: Apache-2.0
#include "host/pcie/endpoint/pci_port_module.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "host/pcie/dma_attributes.h"
#include "protocol/entry_time.h"

namespace nandscape::host {
namespace {

constexpr std::byte ones{0xff};
constexpr std::size_t widest_configuration_access = 4, widest_memory_access = 8;

// Returns the size in bytes of the next piece of an access at `address`: the largest naturally aligned size that is not
// greater than `widest` and `left`, the number of remaining bytes.
std::size_t width(std::uint64_t address, std::size_t left, std::size_t widest) {
  std::size_t bytes = widest;
  while (bytes > left || address % bytes != 0) bytes /= 2;
  return bytes;
}

}  // namespace

PciPortModule::PciPortModule(const sc_core::sc_module_name& name, Calendar& calendar, PciHost& host)
    : sc_module(name), calendar_(calendar), host_(host) {
  registers.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
  configuration.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
  dma.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
}

// ---- Accesses

Tick PciPortModule::config_read(std::uint32_t offset, std::span<std::byte> into, Tick now) {
  return access(configuration, tlm::TLM_READ_COMMAND, offset, into, widest_configuration_access, now);
}

Tick PciPortModule::config_write(std::uint32_t offset, std::span<const std::byte> from, Tick now) {
  std::vector<std::byte> data(from.begin(), from.end());
  return access(configuration, tlm::TLM_WRITE_COMMAND, offset, data, widest_configuration_access, now);
}

// Only BAR 0 exists. A read of any other BAR returns bytes of FFh.
Tick PciPortModule::memory_read(std::uint32_t bar, std::uint64_t offset, std::span<std::byte> into, Tick now) {
  if (bar == 0) return access(registers, tlm::TLM_READ_COMMAND, offset, into, widest_memory_access, now);
  std::ranges::fill(into, ones);
  return now;
}

Tick PciPortModule::memory_write(std::uint32_t bar, std::uint64_t offset, std::span<const std::byte> from, Tick now) {
  if (bar != 0) return now;
  std::vector<std::byte> data(from.begin(), from.end());
  return access(registers, tlm::TLM_WRITE_COMMAND, offset, data, widest_memory_access, now);
}

Tick PciPortModule::access(Socket& socket, tlm::tlm_command command, std::uint64_t address, std::span<std::byte> data,
                           std::size_t widest, Tick now) {
  Tick end = now;
  while (!data.empty()) {
    const std::span<std::byte> part = data.first(width(address, data.size(), widest));
    Payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(part.data()));
    payload.set_data_length(static_cast<unsigned int>(part.size()));
    payload.set_streaming_width(static_cast<unsigned int>(part.size()));
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    sc_core::sc_time delay = to_sc_time(now - kernel_time(calendar_));
    socket->b_transport(payload, delay);
    if (!payload.is_response_ok() && payload.is_read()) std::ranges::fill(part, ones);
    end = std::max(end, call_time(calendar_, delay));
    address += part.size();
    data = data.subspan(part.size());
  }
  return end;
}

// ---- DMA and interrupts

void PciPortModule::b_transport(Payload& payload, sc_core::sc_time& delay) {
  using Interrupt = DmaAttributes::Interrupt;
  const Tick at = entry_time(calendar_, delay, dma.name());
  const auto* const attributes = payload.get_extension<DmaAttributes>();
  const std::uint64_t address = payload.get_address();
  const std::span<std::byte> data(reinterpret_cast<std::byte*>(payload.get_data_ptr()), payload.get_data_length());
  bool ok = true;
  switch (attributes == nullptr ? Interrupt::none : attributes->interrupt) {
    case Interrupt::line_asserted: host_.set_intx(true, at); break;
    case Interrupt::line_deasserted: host_.set_intx(false, at); break;
    case Interrupt::message: {
      std::uint32_t message = 0;
      std::memcpy(&message, data.data(), sizeof message);
      host_.message(address, message, at);
      break;
    }
    case Interrupt::none:
      if (payload.is_read()) ok = host_.dma_read(address, data, at);
      if (payload.is_write()) ok = host_.dma_write(address, data, at);
  }
  payload.set_response_status(ok ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

tlm::tlm_sync_enum PciPortModule::nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_REQ) refuse_phase(phase, dma.name());
  b_transport(payload, delay);
  return tlm::TLM_COMPLETED;
}

}  // namespace nandscape::host
