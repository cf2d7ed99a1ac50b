// SPDX-License-Identifier: Apache-2.0
// The NVMe controller as a PCI Express function: configuration space and BAR0.
//
// Accesses arrive at a tick, now or later. A read sees all earlier writes, including writes still on the link, since
// reads do not overtake writes on a link.
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

// State of a function when the simulation begins.
enum class PciStart : std::uint8_t {
  power_on,  // BAR0, requests and MSI-X are off
  enabled,   // BAR0, requests and MSI-X are on, as firmware sets them for a driver that ignores configuration space
};

class NvmeFunction {
 public:
  // `link`: properties that the PCI Express capability reports. Throws ConfigError.
  NvmeFunction(Calendar& calendar, const NvmeParameters& parameters, const PcieLinkParameters& link,
               StorageDevice& device, DmaPort& port, bool keep_data, PciStart start);

  NvmeController& controller() { return controller_; }
  const NvmeController& controller() const { return controller_; }

  // Access any bytes of configuration space, at most 8 in a write.
  void write_configuration(std::uint32_t offset, std::span<const std::byte> from, Tick arrival);
  void read_configuration(std::uint32_t offset, std::span<std::byte> into);
  // The same without any effect, for debuggers.
  void peek_configuration(std::uint32_t offset, std::span<std::byte> into) const;

  // Access BAR0, naturally aligned, by 1, 2, 4 or 8 bytes. Hosts should access registers in their own width or by
  // doublewords [NVM Express 1.4, 3.1]. Narrower accesses read and write single bytes, as in hardware with byte lanes.
  // Doorbells refuse narrower writes, since half a doorbell would ring with a value that the host has not written.
  enum class Answer : std::uint8_t {
    ok,
    unsupported,  // memory accesses are disabled, or the offset is outside BAR0 or unaligned
    misfit,       // accesses of this width are not supported at this offset
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
  // Reads without any effect, for debuggers. Returns the number of bytes read: less than asked for at the end of BAR0.
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
  // Whether BAR0 answers at `at`, after the writes to configuration space that arrive by then.
  bool memory_enabled(Tick at) const {
    return underway_.empty() ? configuration_.memory_enabled() : memory_enabled_behind_writes(at);
  }
  bool memory_enabled_behind_writes(Tick at) const;
  // Writes in any width, or refuses.
  Answer write_other(std::uint64_t offset, std::span<const std::byte> from, Tick arrival);
  static Answer check(std::uint64_t offset, std::size_t bytes);

  Calendar& calendar_;
  ConfigurationSpace configuration_;
  NvmeController controller_;
  std::deque<ConfigurationWrite> underway_;
  std::uint64_t first_underway_ = 0;  // number of the first write in `underway_`
};

}  // namespace nandscape::host
