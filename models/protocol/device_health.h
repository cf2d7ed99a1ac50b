// SPDX-License-Identifier: Apache-2.0
// What a storage device says about its own state: a front end makes its health report (for NVMe the SMART log) of it.
#pragma once

#include <cstdint>

namespace nandscape {

struct DeviceHealth {
  bool volatile_write_cache = false;  // completed writes may be lost with the power, until a flush
  bool read_only = false;             // it takes no writes any more
  bool reliability_degraded = false;  // by errors of the media, beyond what was to be expected
  double percentage_used = 0;         // of the rated life; may exceed 100
  double available_spare_percent = 100;
  double spare_threshold_percent = 10;  // less than this is worth a warning
  std::uint64_t media_errors = 0;       // times that data could not be read back or written
  std::uint64_t host_sectors_written = 0;
  std::uint64_t media_sectors_written = 0;  // with what moving data and padding added
  std::uint64_t power_cycles = 1;           // with the present one
  std::uint64_t unsafe_shutdowns = 0;       // the power went without notice
};

}  // namespace nandscape
