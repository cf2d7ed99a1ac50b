// SPDX-License-Identifier: Apache-2.0
// Kinds of workload: where requests come from.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/registry.h"
#include "host/workloads/given/request_supply.h"
#include "host/workloads/workload.h"

namespace nandscape::host {

// How code of the program's user is called, where a simulation must not be in its way.
using CallOut = std::function<void(const std::function<void()>&)>;

// What a source is told besides its own parameters.
struct WorkloadContext {
  std::uint64_t capacity_sectors = 0;
  std::uint64_t seed = 0;
  std::string path;        // of the workload in the configuration, for messages and random streams
  bool open_loop = false;  // requests carry their issue times; otherwise they carry `think_time`
  Tick think_time = 0;
  const RequestSupplies* supplies = nullptr;  // what the program gives
  CallOut call_out = {};                      // empty: code of the user is called as it is
};

using WorkloadRegistry = Registry<WorkloadSource, const WorkloadContext&>;

const WorkloadRegistry& workload_kinds();

}  // namespace nandscape::host
