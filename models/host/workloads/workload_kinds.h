// SPDX-License-Identifier: Apache-2.0
// The registry of workload kinds, and the context that the constructor of a source receives.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/registry.h"
#include "host/workloads/given/request_supply.h"
#include "host/workloads/workload.h"

namespace nandscape::host {

// A function that runs the given function, which is user code, outside the kernel of the simulation.
using CallOut = std::function<void(const std::function<void()>&)>;

// The context in which a source is made. It contains all input of a source except the source's own parameters.
struct WorkloadContext {
  std::uint64_t capacity_sectors = 0;
  double filled_fraction = 1;  // share of the capacity, from sector 0 on, in which a workload finds data; above 0
  std::uint64_t seed = 0;
  std::string path;  // path of the workload in the configuration, for messages and for the seeds of random streams
  bool open_loop = false;  // true: each request contains its issue time; false: each request contains `think_time`
  Tick think_time = 0;
  const RequestSupplies* supplies = nullptr;  // requests that the program supplies
  CallOut call_out = {};                      // empty: user code is called directly
};

using WorkloadRegistry = Registry<WorkloadSource, const WorkloadContext&>;

WorkloadRegistry& workload_kinds();

}  // namespace nandscape::host
