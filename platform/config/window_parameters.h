// SPDX-License-Identifier: Apache-2.0
// Configuration groups `simulation.warmup` and `simulation.steady`.
#pragma once

#include <cstdint>
#include <string>

#include "core/parameters.h"

namespace nandscape {

// The warm-up of a run. The measured window begins when all of these conditions are met. Amounts are counted from the
// start of the workloads.
struct WarmupParameters {
  double time_ms = 0;
  std::uint64_t requests = 0;
  double data_mib = 0;
  double drive_writes = 0;
  bool steady = false;

  bool any() const { return time_ms > 0 || requests > 0 || data_mib > 0 || drive_writes > 0 || steady; }
};
void describe(WarmupParameters& p, ParameterVisitor& v);

// The definition of a steady state; see steady_state.h.
struct SteadyParameters {
  std::string figure = "host.iops";
  double range = 0.2;
  double slope = 0.1;
};
void describe(SteadyParameters& p, ParameterVisitor& v);

}  // namespace nandscape
