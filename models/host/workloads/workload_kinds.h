// SPDX-License-Identifier: Apache-2.0
// Kinds of workload: where requests come from.
#pragma once

#include <cstdint>
#include <string>

#include "core/registry.h"
#include "host/workloads/workload.h"

namespace nandscape::host {

// What a source is told besides its own parameters.
struct WorkloadContext {
  std::uint64_t capacity_sectors = 0;
  std::uint64_t seed = 0;
  std::string path;        // of the workload in the configuration, for messages and random streams
  bool open_loop = false;  // requests carry their issue times; otherwise they carry `think_time`
  Tick think_time = 0;
};

using WorkloadRegistry = Registry<WorkloadSource, const WorkloadContext&>;

const WorkloadRegistry& workload_kinds();

}  // namespace nandscape::host
