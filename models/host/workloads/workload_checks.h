// SPDX-License-Identifier: Apache-2.0
// Helper functions for the sources that are made from parameters: errors that name the key, and the conversion of sizes
// to sectors.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/error.h"
#include "host/workloads/workload_kinds.h"

namespace nandscape::host {

constexpr std::uint64_t bytes_per_sector = 512;

// Throws ConfigError for the key `key` of the workload, with the message `what`.
[[noreturn]] inline void refuse(const WorkloadContext& context, std::string_view key, const std::string& what) {
  throw ConfigError({}, context.path + "." + std::string(key), what);
}

// Throws ConfigError for the key `rate`, because a closed loop does not use it.
[[noreturn]] inline void refuse_in_closed_loop(const WorkloadContext& context, std::string_view rate) {
  refuse(context, rate, "has no effect in a closed loop, which queue_depth paces; set pacing: open");
}

inline std::uint64_t whole_sectors(const WorkloadContext& context, std::string_view key, std::uint64_t bytes) {
  if (bytes % bytes_per_sector != 0) {
    refuse(context, key, std::to_string(bytes) + " bytes are not a multiple of the sector size, 512 bytes");
  }
  return bytes / bytes_per_sector;
}

}  // namespace nandscape::host
