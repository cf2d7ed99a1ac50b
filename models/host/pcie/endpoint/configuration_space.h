// SPDX-License-Identifier: Apache-2.0
// Configuration space of an NVMe function: a type 0 header, and the capabilities for power management, PCI Express and
// MSI-X [PCI Local Bus 3.0, chapter 6; PCI Express Base 3.0, chapter 7; NVM Express 1.4, chapter 2].
//
// Accesses may have any offset and length. The writable bits are stored, and memory_enabled(), bus_master() and
// interrupts() return their meaning for the function. The packet sizes in Device Control are stored but have no effect,
// because the link takes its packet sizes from the configuration group host.link.
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

// No vendor has assigned identifiers to this device. These are identifiers that QEMU's list (docs/specs/pci-ids)
// reserves for experiments.
inline constexpr std::uint16_t vendor = 0x1af4;
inline constexpr std::uint16_t device = 0x10f0;

inline constexpr std::uint32_t vendor_id = 0x00;
inline constexpr std::uint32_t command = 0x04;
inline constexpr std::uint32_t status = 0x06;
inline constexpr std::uint32_t revision = 0x08;  // followed by the class code
inline constexpr std::uint32_t bar0 = 0x10;      // a BAR of 64 bits; BAR1 is its upper half
inline constexpr std::uint32_t subsystem_vendor_id = 0x2c;
inline constexpr std::uint32_t subsystem_id = 0x2e;
inline constexpr std::uint32_t capabilities = 0x34;
inline constexpr std::uint32_t interrupt_line = 0x3c;
inline constexpr std::uint32_t interrupt_pin = 0x3d;

// Offsets of the function's capabilities. The comments give the capability identifiers.
inline constexpr std::uint32_t power_management = 0x40;  // 01h
inline constexpr std::uint32_t express = 0x50;           // 10h
inline constexpr std::uint32_t msix = 0x90;              // 11h

inline constexpr std::uint16_t memory_space = 1u << 1;  // bits of the command register
inline constexpr std::uint16_t bus_master = 1u << 2;
inline constexpr std::uint16_t interrupt_disable = 1u << 10;
inline constexpr std::uint16_t interrupt_status = 1u << 3;     // status
inline constexpr std::uint16_t msix_function_mask = 1u << 14;  // bits of Message Control in the MSI-X capability
inline constexpr std::uint16_t msix_enable = 1u << 15;
inline constexpr std::uint16_t function_level_reset = 1u << 15;  // bit of the Device Control register
}  // namespace pci

class ConfigurationSpace {
 public:
  // `link` contains the speed, the width and the payload size that the PCI Express capability reports. `vectors` is the
  // number of MSI-X vectors.
  ConfigurationSpace(const PcieLinkParameters& link, std::uint32_t vectors);

  // Copies the bytes that begin at `offset`. Bytes past the end of configuration space are 0. `line_waits` is the value
  // of the Interrupt Status bit.
  void read(std::uint32_t offset, std::span<std::byte> into, bool line_waits) const;
  // Writes the writable bits. Returns true if the write requests a function level reset; the caller must then reset the
  // function and call reset().
  bool write(std::uint32_t offset, std::span<const std::byte> from);
  // Returns the writable bits to their values after power-on.
  void reset();

  // Return whether BAR0 answers accesses, and whether the function may send requests.
  bool memory_enabled() const { return memory_enabled_; }
  bool bus_master() const { return bus_master_; }
  InterruptRouting interrupts() const;

 private:
  void put8(std::uint32_t offset, std::uint32_t value) { bytes_.at(offset) = static_cast<std::byte>(value); }
  void put16(std::uint32_t offset, std::uint32_t value);
  void put32(std::uint32_t offset, std::uint32_t value);
  std::uint32_t get16(std::uint32_t offset) const;
  // Marks the bits of `mask` in the 16-bit word at `offset` as writable by the host.
  void writable16(std::uint32_t offset, std::uint32_t mask);
  void put_capability(std::uint32_t offset, std::uint32_t id, std::uint32_t next);
  void put_express(const PcieLinkParameters& link);
  void understand();
  bool in_d0() const;

  // The first 256 bytes. The rest, which is the extended configuration space, is empty.
  std::array<std::byte, 256> bytes_{};
  std::array<std::byte, 256> writable_{};
  std::array<std::byte, 256> initial_{};
  bool memory_enabled_ = false;
  bool bus_master_ = false;
};

}  // namespace nandscape::host
