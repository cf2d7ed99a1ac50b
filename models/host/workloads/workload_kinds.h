// SPDX-License-Identifier: Apache-2.0
// The registry of workload kinds, and the context in which a source is made.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/registry.h"
#include "host/workloads/given/request_supply.h"
#include "host/workloads/workload.h"

namespace nandscape::host {

// Calls user code outside of the simulation's kernel.
using CallOut = std::function<void(const std::function<void()>&)>;

// The input of a source besides its own parameters.
struct WorkloadContext {
  std::uint64_t capacity_sectors = 0;
  std::uint64_t seed = 0;
  std::string path;        // workload's path in the configuration, for messages and random streams
  bool open_loop = false;  // requests carry their issue times; otherwise they carry `think_time`
  Tick think_time = 0;
  const RequestSupplies* supplies = nullptr;  // requests that the program supplies
  CallOut call_out = {};                      // empty: user code is called directly
};

using WorkloadRegistry = Registry<WorkloadSource, const WorkloadContext&>;

WorkloadRegistry& workload_kinds();

}  // namespace nandscape::host
