// SPDX-License-Identifier: Apache-2.0
// Parameters of workload kind `volume`, which imitates a workload that is known only by the published amounts of its
// writes.
#pragma once

#include <cstdint>
#include <string>

#include "core/parameters.h"

namespace nandscape::host {

// Published statistics of a volume. These are the keys that a profile file may contain.
struct VolumeStatistics {
  double capacity_gib = 4;
  double written_gib = 4;
  double distinct_gib = 1;
  double span_days = 1;
  double read_percent = 20;
  std::uint64_t request_bytes = 8192;
};
void describe(VolumeStatistics& parameters, ParameterVisitor& visitor);

// Additional published results, which a profile file may contain in the group `published`. They serve for comparison
// and do not affect the run.
struct VolumeResults {
  double overwritten_1_day_percent = 0;
  double overwritten_1_week_percent = 0;
  double overwritten_5_weeks_percent = 0;
  std::uint64_t dies = 0;
  double exported_gib = 0;
};
void describe(VolumeResults& results, ParameterVisitor& visitor);

struct VolumeParameters : VolumeStatistics {
  // Path of a profile file. The reader of the configuration uses the values in this file as defaults for the other keys
  // of this group.
  std::string profile;
  double scale = 1;
  std::uint64_t start_bytes = 0;
  std::uint64_t requests = 100'000;
  double requests_per_s = 0;
};
void describe(VolumeParameters& parameters, ParameterVisitor& visitor);

}  // namespace nandscape::host
