// SPDX-License-Identifier: Apache-2.0
// The group `host.workload` of a configuration, and the sources made from it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/parameters.h"
#include "host/workloads/given/request_supply.h"
#include "host/workloads/workload.h"
#include "protocol/priority_class.h"

namespace nandscape::host {

// Closed: `queue_depth` requests are in flight, and each completion issues the next one. Open: requests arrive at their
// own times, whether or not the device keeps up.
enum class Pacing { by_kind, closed, open };

// One workload. A host may run several at once, each with its own queue and statistics.
struct WorkloadParameters {
  std::string name;
  VariantChoice kind{"synthetic", nullptr};
  Pacing pacing = Pacing::by_kind;
  std::uint32_t queue_depth = 64;
  double think_time_us = 0;
  double duration_ms = 0;
  PriorityClass priority = PriorityClass::medium;
};

void describe(WorkloadParameters& parameters, ParameterVisitor& visitor);

// Whether the workload is an open loop; resolves `by_kind`.
bool is_open_loop(const WorkloadParameters& parameters);

// Names of workloads that run at once: their own names, or workload0, workload1, ... where none is given. Throws
// ConfigError if two names are equal.
std::vector<std::string> workload_names(const std::vector<WorkloadParameters>& workloads, std::string_view path);

// Makes the source of a workload. Throws ConfigError on parameters that contradict each other or the capacity, and
// InputError on a trace that cannot be read. `path` is the workload's path in the configuration; its random numbers
// depend on the seed and on `path` alone. `supplies`: requests of the program for workloads of kind `requests`.
std::unique_ptr<WorkloadSource> make_workload(const WorkloadParameters& parameters, std::uint64_t capacity_sectors,
                                              std::uint64_t seed, std::string_view path,
                                              const RequestSupplies& supplies = {});

}  // namespace nandscape::host
