// SPDX-License-Identifier: Apache-2.0
// What the controller remembers about itself: the error log, the SMART figures and the statistics of host.nvme.
#pragma once

#include <array>
#include <cstdint>

#include "core/statistics.h"
#include "core/ticks.h"
#include "host/nvme/command.h"
#include "protocol/nvme.h"

namespace nandscape {

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
};
void describe(const NvmeCounters& c, StatisticsVisitor& v);

class Health {
 public:
  static constexpr std::uint32_t error_entries = 64;

  explicit Health(double temperature_c) { set_temperature(temperature_c); }

  NvmeCounters& counters() { return counters_; }
  const NvmeCounters& counters() const { return counters_; }

  void set_temperature(double celsius) { kelvin_ = static_cast<std::uint16_t>(celsius + 273.5); }
  std::uint16_t kelvin() const { return kelvin_; }

  void record_error(const Command& command, nvme::Status status);

  // Newest first.
  std::array<nvme::ErrorInformation, error_entries> error_log() const;
  nvme::SmartLog smart_log(Tick now, bool temperature_past_threshold) const;

 private:
  NvmeCounters counters_;
  std::uint16_t kelvin_ = 0;
  std::uint64_t errors_ = 0;
  std::uint64_t media_errors_ = 0;
  std::array<nvme::ErrorInformation, error_entries> errors_ring_{};
};

}  // namespace nandscape
