// SPDX-License-Identifier: Apache-2.0
// The data that the controller collects about itself: the error log, the values of the SMART log and the statistics
// `host.nvme`.
#pragma once

#include <array>
#include <cstdint>

#include "core/archive.h"
#include "core/statistics.h"
#include "core/ticks.h"
#include "host/nvme/command.h"
#include "host/nvme/command_set.h"
#include "protocol/device_health.h"
#include "protocol/nvme.h"

namespace nandscape::host {

struct NvmeCounters {
  std::uint64_t read_commands = 0;
  std::uint64_t write_commands = 0;
  std::uint64_t other_io_commands = 0;
  std::uint64_t admin_commands = 0;
  std::uint64_t failed_commands = 0;
  std::uint64_t sectors_read = 0;
  std::uint64_t sectors_written = 0;
  std::uint64_t page_accesses = 0;
  std::uint64_t entry_fetches = 0;
  std::uint64_t completions_held_back = 0;
  std::uint64_t interrupts = 0;

  // Counts an I/O command that has read or written this number of sectors.
  void count(HostTraffic traffic, std::uint64_t sectors) {
    switch (traffic) {
      case HostTraffic::read:
        ++read_commands;
        sectors_read += sectors;
        return;
      case HostTraffic::write:
        ++write_commands;
        sectors_written += sectors;
        return;
      case HostTraffic::none: ++other_io_commands; return;
    }
  }
};
void describe(const NvmeCounters& c, StatisticsVisitor& v);

// Measures the time during which at least one I/O command is outstanding.
class BusyTime {
 public:
  void begin(Tick now) {
    if (under_way_++ == 0) ended_ -= now;
  }
  void end(Tick now) {
    if (--under_way_ != 0) return;
    ended_ += now;
    idle_since_ = now;
  }
  // Saves or restores the busy time. Outstanding commands are counted up to `now`, because they end when the power
  // fails.
  void persist(Archive& archive, Tick now) {
    Tick until_now = total(now);
    archive(until_now);
    if (archive.loading()) ended_ = until_now;
  }
  Tick total(Tick now) const { return under_way_ == 0 ? ended_ : ended_ + now; }
  // Returns the time since which no command has been outstanding, or `never` if one is outstanding.
  Tick idle_since() const { return under_way_ == 0 ? idle_since_ : never; }

 private:
  std::uint32_t under_way_ = 0;
  // The sum of the ends of all busy periods less that of their begins, modulo 2^64.
  Tick ended_ = 0;
  Tick idle_since_ = 0;
};

// Returns the critical warning bits that follow from the health of the storage device: all bits but the temperature
// bit.
std::uint8_t critical_warning(const DeviceHealth& device);

class Health {
 public:
  static constexpr std::uint32_t error_entries = 64;

  NvmeCounters& counters() { return counters_; }
  const NvmeCounters& counters() const { return counters_; }
  BusyTime& busy() { return busy_; }

  void record_error(const Command& command, nvme::Status status);

  // Returns the entries of the error log, the newest entry first.
  std::array<nvme::ErrorInformation, error_entries> error_log() const;
  // Returns the SMART log. `device` is the health of the storage device, and `kelvin` is the composite temperature.
  nvme::SmartLog smart_log(Tick now, const DeviceHealth& device, std::uint16_t kelvin,
                           bool temperature_past_threshold) const;

  void persist(Archive& archive, Tick now);

 private:
  NvmeCounters counters_;
  BusyTime busy_;
  std::uint64_t errors_ = 0;
  std::array<nvme::ErrorInformation, error_entries> errors_ring_{};
};

}  // namespace nandscape::host
