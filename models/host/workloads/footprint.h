// SPDX-License-Identifier: Apache-2.0
// The part of the device's address space that a workload accesses.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/parameters.h"
#include "host/workloads/workload_kinds.h"

namespace nandscape::host {

struct FootprintParameters {
  double fraction = 0;
  std::uint64_t bytes = 0;
  std::uint64_t start_bytes = 0;
};
// Describes the keys of the footprint. They are in the same configuration group as the other keys of the workload.
void describe(FootprintParameters& parameters, ParameterVisitor& visitor);

struct Footprint {
  std::uint64_t start_sector = 0;
  std::uint64_t sectors = 0;
  std::string_view key;  // configuration key that determines the size
};
// Returns the footprint in sectors. Throws ConfigError if the footprint ends past the capacity of the device.
Footprint footprint_of(const FootprintParameters& parameters, const WorkloadContext& context);

}  // namespace nandscape::host
