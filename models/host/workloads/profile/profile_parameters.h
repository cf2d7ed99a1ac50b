// SPDX-License-Identifier: Apache-2.0
// Parameters of workload kind `profile`, which imitates a workload that is known only by its published statistics.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/parameters.h"
#include "host/workloads/footprint.h"

namespace nandscape::host {

// Published statistics of a workload. These are the keys that a profile file may contain.
struct ProfileStatistics {
  double read_percent = 70;
  double mean_read_bytes = 16'384;
  double mean_write_bytes = 16'384;
  std::vector<double> size_class_percent;
  std::vector<double> size_class_bytes = {4096, 8192, 16'384};
  std::uint64_t size_step_bytes = 4096;
  std::uint64_t largest_request_bytes = std::uint64_t{1} << 20;
  double cold_read_percent = 50;
  std::uint64_t alignment_bytes = 0;
  FootprintParameters footprint;
};
void describe(ProfileStatistics& parameters, ParameterVisitor& visitor);

struct ProfileParameters : ProfileStatistics {
  // Path of a profile file. The reader of the configuration uses the values in this file as defaults for the other keys
  // of this group.
  std::string profile;
  double updated_fraction = 0.5;
  std::uint64_t updated_bytes = 0;
  double mean_updates = 2;
  std::uint64_t requests = 100'000;
  double requests_per_s = 0;
};
void describe(ProfileParameters& parameters, ParameterVisitor& visitor);

}  // namespace nandscape::host
