// SPDX-License-Identifier: Apache-2.0
// The part of the device that a workload goes to.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/parameters.h"
#include "host/workloads/workload_kinds.h"

namespace nandscape::host {

struct FootprintParameters {
  double fraction = 1;
  std::uint64_t bytes = 0;
  std::uint64_t start_bytes = 0;
};
// Its keys stand beside those of the workload.
void describe(FootprintParameters& parameters, ParameterVisitor& visitor);

struct Footprint {
  std::uint64_t start_sector = 0;
  std::uint64_t sectors = 0;
  std::string_view key;  // that gives its size
};
// Throws ConfigError where it ends past the capacity.
Footprint footprint_of(const FootprintParameters& parameters, const WorkloadContext& context);

}  // namespace nandscape::host
