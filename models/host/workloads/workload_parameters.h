// SPDX-License-Identifier: Apache-2.0
// Configuration group `host.workload`, and the function that makes the source of a workload's requests from it.
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

// In a closed loop, `queue_depth` requests are in flight, and each completion causes the issue of the next request. In
// an open loop, each request arrives at its own time, whether or not the device keeps up.
enum class Pacing { by_kind, closed, open };

// The parameters of one workload. A host may run several workloads at once, each with its own queue and statistics.
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

// Returns true if the workload is an open loop. For `by_kind`, the kind of the workload decides.
bool is_open_loop(const WorkloadParameters& parameters);

// Returns the names of the workloads of a host. A workload without a configured name is named workload0, workload1 and
// so on, by its index. Throws ConfigError if two names are equal.
std::vector<std::string> workload_names(const std::vector<WorkloadParameters>& workloads, std::string_view path);

// Makes the source of a workload. Throws ConfigError if parameters contradict each other or the capacity, and
// InputError if a trace cannot be read. `path` is the path of the workload in the configuration. The random numbers of
// the source depend only on the seed and on `path`. `filled_fraction` is the share of the capacity, from sector 0 on,
// that a workload without a footprint of its own accesses. `supplies` contains the requests of the program for
// workloads of kind `requests`.
std::unique_ptr<WorkloadSource> make_workload(const WorkloadParameters& parameters, std::uint64_t capacity_sectors,
                                              double filled_fraction, std::uint64_t seed, std::string_view path,
                                              const RequestSupplies& supplies = {});

}  // namespace nandscape::host
