// SPDX-License-Identifier: Apache-2.0
// The group `host.workload` of a configuration, and the sources made of it.
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

// Closed: `queue_depth` requests are in flight, a completion lets the next one in. Open: requests come at their own
// times, whether or not the device keeps up.
enum class Pacing { by_kind, closed, open };

// One workload. A host may run several at once, each with a queue and statistics of its own.
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

// The pacing in force, `by_kind` resolved.
bool is_open_loop(const WorkloadParameters& parameters);

// Names of workloads that run at once: their own, or workload0, workload1, ... where none is given. Throws ConfigError
// on two of the same name.
std::vector<std::string> workload_names(const std::vector<WorkloadParameters>& workloads, std::string_view path);

// Throws ConfigError on parameters that contradict each other or the capacity, InputError on a trace that cannot be
// read. `path` is that of the workload in the configuration; its random numbers depend on the seed and on it alone.
// `supplies`: what the program gives for workloads of kind `requests`.
std::unique_ptr<WorkloadSource> make_workload(const WorkloadParameters& parameters, std::uint64_t capacity_sectors,
                                              std::uint64_t seed, std::string_view path,
                                              const RequestSupplies& supplies = {});

}  // namespace nandscape::host
