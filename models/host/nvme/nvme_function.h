// SPDX-License-Identifier: Apache-2.0
// The NVMe controller as a PCI Express function, with its configuration space and BAR0.
//
// Each access states the tick at which it arrives, which is the current time or later. A read returns the effect of all
// earlier writes, including the writes that are still on the link, because reads do not overtake writes on a link.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>

#include "host/nvme/nvme_controller.h"
#include "host/pcie/endpoint/configuration_space.h"

namespace nandscape::host {

// The state in which a function begins the simulation.
enum class PciStart : std::uint8_t {
  power_on,  // BAR0, requests and MSI-X are off
  // BAR0, requests and MSI-X are on, as if firmware had enabled them; for drivers that do not use configuration space
  enabled,
};

class NvmeFunction {
 public:
  // `link` contains the link properties that the PCI Express capability reports. Throws ConfigError if a parameter of
  // the controller is invalid, for example if `max_transfer_kib` is not a power of two.
  NvmeFunction(Calendar& calendar, const NvmeParameters& parameters, const PcieLinkParameters& link,
               StorageDevice& device, DmaPort& port, bool keep_data, PciStart start);

  NvmeController& controller() { return controller_; }
  const NvmeController& controller() const { return controller_; }

  // Read or write bytes of configuration space, at any offset. A write has at most 8 bytes.
  void write_configuration(std::uint32_t offset, std::span<const std::byte> from, Tick arrival);
  void read_configuration(std::uint32_t offset, std::span<std::byte> into);
  // Reads bytes of configuration space without any side effect, for debuggers.
  void peek_configuration(std::uint32_t offset, std::span<std::byte> into) const;

  // Read or write 1, 2, 4 or 8 bytes of BAR0; accesses must be naturally aligned. A host should access a register in
  // its own width or by doublewords [NVM Express 1.4, 3.1]. A narrower access reads or writes only its own bytes, as in
  // hardware with byte lanes. A doorbell refuses narrower writes, because half a doorbell would ring with a value that
  // the host has not written.
  enum class Answer : std::uint8_t {
    ok,
    unsupported,  // memory accesses are disabled, or the offset is outside BAR0 or unaligned
    misfit,       // accesses of this width are not supported at this offset
  };
  Answer write_memory(std::uint64_t offset, std::span<const std::byte> from, Tick arrival);
  // Returns whether write_memory() accepts a doubleword at this offset. It may then be written directly to the
  // controller.
  bool accepts_doubleword(std::uint64_t offset, Tick arrival) const {
    return offset % 4 == 0 && offset < nvme::reg::bar_bytes && memory_enabled(arrival);
  }
  // Returns whether `offset` is a doorbell and BAR0 answers, whatever writes are on the link. The doorbell may then be
  // written directly to the controller.
  bool accepts_doorbell(std::uint64_t offset) const {
    return offset % 4 == 0 && NvmeController::is_doorbell(offset) && underway_.empty() &&
           configuration_.memory_enabled();
  }
  Answer read_memory(std::uint64_t offset, std::span<std::byte> into, Tick at);
  // Reads bytes of BAR0 without any side effect, for debuggers. Returns the number of bytes read, which is less than
  // the size of `into` if the read extends past the end of BAR0.
  std::size_t peek_memory(std::uint64_t offset, std::span<std::byte> into) const;

  // Returns true if the function may send requests (Bus Master Enable is set).
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
  // Returns whether BAR0 answers at the time `at`. Takes into account the writes to configuration space that arrive by
  // then.
  bool memory_enabled(Tick at) const {
    return underway_.empty() ? configuration_.memory_enabled() : memory_enabled_behind_writes(at);
  }
  bool memory_enabled_behind_writes(Tick at) const;
  static Answer check(std::uint64_t offset, std::size_t bytes);

  Calendar& calendar_;
  ConfigurationSpace configuration_;
  NvmeController controller_;
  std::deque<ConfigurationWrite> underway_;
  std::uint64_t first_underway_ = 0;  // number of the oldest write in `underway_`
};

}  // namespace nandscape::host
