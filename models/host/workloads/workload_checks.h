// SPDX-License-Identifier: Apache-2.0
// What sources share that are made of parameters: refusals that name the key, sizes in sectors.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/error.h"
#include "host/workloads/workload_kinds.h"

namespace nandscape::host {

constexpr std::uint64_t bytes_per_sector = 512;

// Throws ConfigError.
[[noreturn]] inline void refuse(const WorkloadContext& context, std::string_view key, const std::string& what) {
  throw ConfigError({}, context.path + "." + std::string(key), what);
}

// A rate that was given.
[[noreturn]] inline void refuse_in_closed_loop(const WorkloadContext& context, std::string_view rate) {
  refuse(context, rate, "has no meaning in a closed loop, which queue_depth paces; set pacing: open");
}

inline std::uint64_t whole_sectors(const WorkloadContext& context, std::string_view key, std::uint64_t bytes) {
  if (bytes % bytes_per_sector != 0) {
    refuse(context, key, std::to_string(bytes) + " bytes are no whole number of sectors of 512 bytes");
  }
  return bytes / bytes_per_sector;
}

}  // namespace nandscape::host
