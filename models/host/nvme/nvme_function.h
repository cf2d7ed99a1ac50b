// SPDX-License-Identifier: Apache-2.0
// The NVMe controller as a PCI Express function: configuration space in front of it, and BAR0.
//
// Accesses arrive at a tick, now or later. A read finds what all writes before it have left, those on their way
// included, as reads on a link do not overtake writes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <span>

#include "host/nvme/nvme_controller.h"
#include "host/pcie/endpoint/configuration_space.h"

namespace nandscape::host {

// What a function is like when its simulation begins.
enum class PciStart : std::uint8_t {
  power_on,  // off and silent
  enabled,   // as firmware leaves it to a driver that knows no configuration space: BAR0, requests and MSI-X are on
};

class NvmeFunction {
 public:
  // `link`: what the PCI Express capability tells of. Throws ConfigError.
  NvmeFunction(Calendar& calendar, const NvmeParameters& parameters, const PcieLinkParameters& link,
               StorageDevice& device, DmaPort& port, bool keep_data, PciStart start);

  NvmeController& controller() { return controller_; }
  const NvmeController& controller() const { return controller_; }

  // Any bytes of configuration space, at most 8 in a write.
  void write_configuration(std::uint32_t offset, std::span<const std::byte> from, Tick arrival);
  void read_configuration(std::uint32_t offset, std::span<std::byte> into);
  // The same without any effect, for debuggers.
  void peek_configuration(std::uint32_t offset, std::span<std::byte> into) const;

  // BAR0, by naturally aligned accesses of 1, 2, 4 and 8 bytes. Registers are meant to be accessed in their own width
  // or by doublewords [NVM Express 1.4, 3.1]. As in hardware with byte lanes, narrower accesses read and write their
  // bytes; but a doorbell rung by halves would say what the host has not said, and takes doublewords only.
  enum class Answer : std::uint8_t {
    ok,
    unsupported,  // memory accesses are disabled, or nothing lies there
    misfit,       // no access of that width or alignment
  };
  Answer write_memory(std::uint64_t offset, std::span<const std::byte> from, Tick arrival) {
    const bool whole_register = from.size() == 4 && offset % 4 == 0 && offset < nvme::reg::bar_bytes;
    if (!whole_register || !memory_enabled(arrival)) [[unlikely]]
      return write_other(offset, from, arrival);
    std::uint32_t value = 0;
    std::memcpy(&value, from.data(), sizeof value);
    controller_.write_register(static_cast<std::uint32_t>(offset), value, arrival);
    return Answer::ok;
  }
  Answer read_memory(std::uint64_t offset, std::span<std::byte> into, Tick at);
  // Without any effect; the number of bytes that there are to read.
  std::size_t peek_memory(std::uint64_t offset, std::span<std::byte> into) const;

  // Whether the function may send requests.
  bool bus_master() const { return configuration_.bus_master(); }

 private:
  struct ConfigurationWrite {
    std::uint32_t offset;
    std::uint32_t length;
    std::array<std::byte, 8> bytes;
    Tick arrival;

    std::span<const std::byte> data() const { return std::span(bytes).first(length); }
  };

  void enable();
  void configuration_write_arrives(std::uint64_t number);
  void apply_oldest();
  // Writes to configuration space that arrive by then are before the access.
  bool memory_enabled(Tick at) const {
    return underway_.empty() ? configuration_.memory_enabled() : memory_enabled_behind_writes(at);
  }
  bool memory_enabled_behind_writes(Tick at) const;
  // Of any width, or refused.
  Answer write_other(std::uint64_t offset, std::span<const std::byte> from, Tick arrival);
  static Answer check(std::uint64_t offset, std::size_t bytes);

  Calendar& calendar_;
  ConfigurationSpace configuration_;
  NvmeController controller_;
  std::deque<ConfigurationWrite> underway_;
  std::uint64_t first_underway_ = 0;  // number of the first of them
};

}  // namespace nandscape::host
