// SPDX-License-Identifier: Apache-2.0
// Helpers for tests of the whole machine. They build configurations from YAML and compute steady-state figures from the
// request log.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "host/workloads/workload.h"
#include "platform/config/configuration.h"
#include "platform/config/yaml_reader.h"
#include "platform/simulation/simulation.h"

namespace nandscape {

// Returns the configuration in `yaml` with overrides, for example "host.workload.queue_depth=8".
inline Configuration configure(const std::string& yaml, const std::vector<std::string>& assignments = {}) {
  std::vector<Override> overrides;
  for (const std::string& assignment : assignments) overrides.push_back(parse_override(assignment));
  return resolve_configuration(read_yaml(yaml, {"scenario", 1}), overrides);
}

// Statistics of the requests that completed as number `begin` up to, but not including, number `end`. `begin` must be
// at least 1. A closed-loop workload is in its steady state after its queue has been filled a few times over, and until
// it has no more requests and the queue drains.
struct SteadyState {
  SteadyState(const RequestLog& log, std::size_t begin, std::size_t end) {
    double read_ticks = 0, write_ticks = 0;
    for (std::size_t k = begin; k < end; ++k) {
      const bool is_read = static_cast<host::RequestKind>(log.kind[k]) == host::RequestKind::read;
      ++(is_read ? reads : writes);
      (is_read ? read_ticks : write_ticks) += static_cast<double>(log.latency[k]);
    }
    const auto completion = [&log](std::size_t k) { return log.start[k] + log.latency[k]; };
    iops = static_cast<double>(end - begin) / s_from_ticks(completion(end - 1) - completion(begin - 1));
    if (reads != 0) mean_read_us = read_ticks / static_cast<double>(reads) * 1e-6;
    if (writes != 0) mean_write_us = write_ticks / static_cast<double>(writes) * 1e-6;
  }

  std::size_t reads = 0;
  std::size_t writes = 0;
  double iops = 0;
  double mean_read_us = 0;
  double mean_write_us = 0;
};

}  // namespace nandscape
