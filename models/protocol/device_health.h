// SPDX-License-Identifier: Apache-2.0
// The state that a storage device reports about itself. A front end converts it to its own health report, for NVMe the
// SMART log.
#pragma once

#include <cstdint>

#include "core/ticks.h"

namespace nandscape {

// How often the device began to work less because it was hot, and for how long it did.
struct ThrottlingRecord {
  std::uint64_t transitions = 0;
  Tick time = 0;
};

struct DeviceHealth {
  double temperature_c = 30;          // temperature of the flash
  bool volatile_write_cache = false;  // writes may be lost at a power loss until they are flushed
  bool read_only = false;             // rejects writes
  bool reliability_degraded = false;  // media errors exceed the expected number
  double percentage_used = 0;         // used share of the rated life in percent; may exceed 100
  double available_spare_percent = 100;
  double spare_threshold_percent = 10;  // the drive warns if available_spare_percent is less than this
  std::uint64_t media_errors = 0;       // failed reads and failed writes of data
  std::uint64_t host_sectors_written = 0;
  std::uint64_t media_sectors_written = 0;  // including moved data and padding
  std::uint64_t power_cycles = 1;           // including the current one
  std::uint64_t unsafe_shutdowns = 0;       // power losses without notice
  ThrottlingRecord light_throttling{};      // by the lower temperature
  ThrottlingRecord heavy_throttling{};      // by the higher one
};

}  // namespace nandscape
