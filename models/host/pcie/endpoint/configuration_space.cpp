// SPDX-License-Identifier: Apache-2.0
#include "host/pcie/endpoint/configuration_space.h"

#include <bit>

#include "protocol/nvme.h"

namespace nandscape::host {
namespace {

constexpr std::byte none{0};

constexpr std::uint32_t nvme_class = 0x010802;  // mass storage, non-volatile memory, NVM Express

constexpr std::uint32_t command_writable = pci::memory_space | pci::bus_master | 1u << 6 |  // Parity Error Response
                                           1u << 8 |                                        // SERR# Enable
                                           pci::interrupt_disable;
constexpr std::uint32_t capabilities_list = 1u << 4;  // bit of the status register: there is a list of capabilities

// The control and status word of the power management capability: its offset from the start of the capability, and its
// bits.
constexpr std::uint32_t power_state = 4;
constexpr std::uint32_t state_mask = 3;
constexpr std::uint32_t no_soft_reset = 1u << 3;  // D3hot to D0 keeps the configuration

// Offsets of registers from the start of the PCI Express capability.
constexpr std::uint32_t device_capabilities = 0x04;
constexpr std::uint32_t device_control = 0x08;
constexpr std::uint32_t link_capabilities = 0x0c;
constexpr std::uint32_t link_control = 0x10;
constexpr std::uint32_t link_status = 0x12;
constexpr std::uint32_t device_capabilities_2 = 0x24;
constexpr std::uint32_t device_control_2 = 0x28;
constexpr std::uint32_t link_capabilities_2 = 0x2c;
constexpr std::uint32_t link_control_2 = 0x30;

constexpr std::uint32_t message_control = 2;  // offset from the start of the MSI-X capability

}  // namespace

ConfigurationSpace::ConfigurationSpace(const PcieLinkParameters& link, std::uint32_t vectors) {
  put16(pci::vendor_id, pci::vendor);
  put16(pci::vendor_id + 2, pci::device);
  writable16(pci::command, command_writable);
  put16(pci::status, capabilities_list);
  put32(pci::revision, nvme_class << 8 | 1);
  put32(pci::bar0, 0x4);  // memory, 64 bits, not prefetchable
  writable16(pci::bar0, ~(nvme::reg::bar_bytes - 1));
  for (std::uint32_t word = 2; word < 8; word += 2) writable16(pci::bar0 + word, 0xffff);
  put16(pci::subsystem_vendor_id, pci::vendor);
  put16(pci::subsystem_id, pci::device);
  put8(pci::capabilities, pci::power_management);
  put8(pci::interrupt_pin, 1);  // INTA#
  writable16(pci::interrupt_line, 0x00ff);

  put_capability(pci::power_management, 0x01, pci::express);
  put16(pci::power_management + 2, 3);  // version 1.2, only the states D0 and D3hot, no power management events
  put16(pci::power_management + power_state, no_soft_reset);
  writable16(pci::power_management + power_state, state_mask);

  put_capability(pci::express, 0x10, pci::msix);
  put_express(link);

  put_capability(pci::msix, 0x11, 0);
  put16(pci::msix + message_control, vectors - 1);
  writable16(pci::msix + message_control, pci::msix_function_mask | pci::msix_enable);
  put32(pci::msix + 4, nvme::reg::msix_table);  // in BAR0
  put32(pci::msix + 8, nvme::reg::msix_pending);

  initial_ = bytes_;
}

void ConfigurationSpace::put_express(const PcieLinkParameters& link) {
  const std::uint32_t at = pci::express;
  // Returns the encoding of a packet size. The size is 128 bytes times a power of two, and the encoding is the
  // exponent.
  const auto size = [](std::uint32_t bytes) { return static_cast<std::uint32_t>(std::countr_zero(bytes)) - 7; };
  put16(at + 2, 2);                                             // version 2, endpoint
  put32(at + device_capabilities, size(link.max_payload_bytes)  //
                                      | 1u << 15                // role-based error reporting
                                      | 1u << 28);              // function level reset
  put16(at + device_control, 2u << 12 | 1u << 11 | 1u << 4);    // 512-byte reads, no snoop, relaxed ordering
  writable16(at + device_control, 0x78ff);  // all fields except extended tags, phantom functions and auxiliary power
  const std::uint32_t speed_and_width = link.generation | link.lanes << 4;
  put32(at + link_capabilities, speed_and_width | 1u << 22);   // ASPM optionality compliance
  writable16(at + link_control, 1u << 3 | 1u << 6 | 1u << 7);  // read completion boundary, common clock, extended synch
  put16(at + link_status, speed_and_width | 1u << 12);         // slot clock configuration
  put32(at + device_capabilities_2, 1u << 4);                  // completion timeouts can be disabled
  writable16(at + device_control_2, 1u << 4);
  put32(at + link_capabilities_2, ((1u << link.generation) - 1) << 1);  // bit mask of this speed and all lower speeds
  put16(at + link_control_2, link.generation);
  writable16(at + link_control_2, 0xf);
}

void ConfigurationSpace::put_capability(std::uint32_t offset, std::uint32_t id, std::uint32_t next) {
  put8(offset, id);
  put8(offset + 1, next);
}

void ConfigurationSpace::put16(std::uint32_t offset, std::uint32_t value) {
  put8(offset, value & 0xff);
  put8(offset + 1, value >> 8 & 0xff);
}

void ConfigurationSpace::put32(std::uint32_t offset, std::uint32_t value) {
  put16(offset, value & 0xffff);
  put16(offset + 2, value >> 16);
}

std::uint32_t ConfigurationSpace::get16(std::uint32_t offset) const {
  return std::to_integer<std::uint32_t>(bytes_.at(offset)) | std::to_integer<std::uint32_t>(bytes_.at(offset + 1)) << 8;
}

void ConfigurationSpace::writable16(std::uint32_t offset, std::uint32_t mask) {
  writable_.at(offset) = static_cast<std::byte>(mask);
  writable_.at(offset + 1) = static_cast<std::byte>(mask >> 8);
}

void ConfigurationSpace::read(std::uint32_t offset, std::span<std::byte> into, bool line_waits) const {
  for (std::size_t k = 0; k < into.size(); ++k) {
    const std::size_t at = offset + k;
    into[k] = at < bytes_.size() ? bytes_[at] : none;
    if (at == pci::status && line_waits) into[k] |= static_cast<std::byte>(pci::interrupt_status);
  }
}

bool ConfigurationSpace::write(std::uint32_t offset, std::span<const std::byte> from) {
  constexpr std::uint32_t reset_byte = pci::express + device_control + 1;
  bool resets = false;
  for (std::size_t k = 0; k < from.size() && offset + k < bytes_.size(); ++k) {
    const std::size_t at = offset + k;
    bytes_[at] = (bytes_[at] & ~writable_[at]) | (from[k] & writable_[at]);
    resets = resets || (at == reset_byte && (from[k] & std::byte{pci::function_level_reset >> 8}) != none);
  }
  understand();
  return resets;
}

void ConfigurationSpace::reset() {
  bytes_ = initial_;
  understand();
}

bool ConfigurationSpace::in_d0() const { return (get16(pci::power_management + power_state) & state_mask) == 0; }

// Derives memory_enabled_ and bus_master_ from the registers. In the power state D3hot, the function answers only
// accesses to configuration space and sends no requests.
void ConfigurationSpace::understand() {
  const std::uint32_t command = get16(pci::command);
  memory_enabled_ = in_d0() && (command & pci::memory_space) != 0;
  bus_master_ = in_d0() && (command & pci::bus_master) != 0;
}

InterruptRouting ConfigurationSpace::interrupts() const {
  const std::uint32_t control = get16(pci::msix + message_control);
  return {.msix = (control & pci::msix_enable) != 0,
          .function_masked = (control & pci::msix_function_mask) != 0,
          .may_send = bus_master_,
          .line_allowed = in_d0() && (get16(pci::command) & pci::interrupt_disable) == 0};
}

}  // namespace nandscape::host
