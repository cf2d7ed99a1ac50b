// SPDX-License-Identifier: Apache-2.0
// Configuration space of an NVMe function: a type 0 header and the capabilities power management, PCI Express and MSI-X
// [PCI Local Bus 3.0, chapter 6; PCI Express Base 3.0, chapter 7; NVM Express 1.4, chapter 2].
//
// Offsets and widths are those of a host's accesses, which may be of any bytes. Bits that can be written are held, and
// what they mean for the function is asked for by name. The packet sizes of the link are the configuration's own
// (host.link); what Device Control says of them is held and has no effect.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "host/pcie/endpoint/interrupt_routing.h"
#include "host/pcie/pcie_link.h"

namespace nandscape::host {

namespace pci {
inline constexpr std::uint32_t configuration_bytes = 4096;

// No vendor stands behind a model: these are identifiers that QEMU's list (docs/specs/pci-ids) leaves to experiments.
inline constexpr std::uint16_t vendor = 0x1af4;
inline constexpr std::uint16_t device = 0x10f0;

inline constexpr std::uint32_t vendor_id = 0x00;
inline constexpr std::uint32_t command = 0x04;
inline constexpr std::uint32_t status = 0x06;
inline constexpr std::uint32_t revision = 0x08;  // and the class code behind it
inline constexpr std::uint32_t bar0 = 0x10;      // 64 bits, of which BAR1 is the upper half
inline constexpr std::uint32_t subsystem_vendor_id = 0x2c;
inline constexpr std::uint32_t subsystem_id = 0x2e;
inline constexpr std::uint32_t capabilities = 0x34;
inline constexpr std::uint32_t interrupt_line = 0x3c;
inline constexpr std::uint32_t interrupt_pin = 0x3d;

// Where the capabilities of this function lie, each with its identifier.
inline constexpr std::uint32_t power_management = 0x40;  // 01h
inline constexpr std::uint32_t express = 0x50;           // 10h
inline constexpr std::uint32_t msix = 0x90;              // 11h

inline constexpr std::uint16_t memory_space = 1u << 1;  // command
inline constexpr std::uint16_t bus_master = 1u << 2;
inline constexpr std::uint16_t interrupt_disable = 1u << 10;
inline constexpr std::uint16_t interrupt_status = 1u << 3;     // status
inline constexpr std::uint16_t msix_function_mask = 1u << 14;  // message control
inline constexpr std::uint16_t msix_enable = 1u << 15;
inline constexpr std::uint16_t function_level_reset = 1u << 15;  // Device Control
}  // namespace pci

class ConfigurationSpace {
 public:
  // With so many MSI-X vectors. The link's figures are those of the configuration.
  ConfigurationSpace(const PcieLinkParameters& link, std::uint32_t vectors);

  // Bytes from `offset` on; behind the end there are zeroes. `line_waits`: Interrupt Status.
  void read(std::uint32_t offset, std::span<std::byte> into, bool line_waits) const;
  // Returns whether that asks for a function level reset, which is reset() and more.
  bool write(std::uint32_t offset, std::span<const std::byte> from);
  // What can be written is as after power-on.
  void reset();

  // Whether BAR0 answers; whether the function may send requests of its own.
  bool memory_enabled() const { return memory_enabled_; }
  bool bus_master() const { return bus_master_; }
  InterruptRouting interrupts() const;

 private:
  void put8(std::uint32_t offset, std::uint32_t value) { bytes_.at(offset) = static_cast<std::byte>(value); }
  void put16(std::uint32_t offset, std::uint32_t value);
  void put32(std::uint32_t offset, std::uint32_t value);
  std::uint32_t get16(std::uint32_t offset) const;
  // The bits of a word that the host can write.
  void writable16(std::uint32_t offset, std::uint32_t mask);
  void put_capability(std::uint32_t offset, std::uint32_t id, std::uint32_t next);
  void put_express(const PcieLinkParameters& link);
  void understand();
  bool in_d0() const;

  std::array<std::byte, 256> bytes_{};  // what lies behind, extended capabilities, is empty
  std::array<std::byte, 256> writable_{};
  std::array<std::byte, 256> initial_{};
  bool memory_enabled_ = false;
  bool bus_master_ = false;
};

}  // namespace nandscape::host
