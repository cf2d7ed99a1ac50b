// SPDX-License-Identifier: Apache-2.0
// Interface of arrival processes. In an open loop, an arrival process determines when requests arrive.
#pragma once

#include "core/random.h"
#include "core/registry.h"
#include "core/ticks.h"

namespace nandscape::host {

class ArrivalProcess {
 public:
  virtual ~ArrivalProcess() = default;

  // Returns the arrival time of the next request, measured from the start of the workload. The times never decrease.
  virtual Tick next(RandomStream& random) = 0;
};

// A process needs the constructor Process(const Process::Parameters&, double rate_iops); the rate is the long-term
// mean.
using ArrivalRegistry = Registry<ArrivalProcess, double>;

ArrivalRegistry& arrival_processes();

void register_poisson(ArrivalRegistry& processes);
void register_constant(ArrivalRegistry& processes);
void register_bursty(ArrivalRegistry& processes);

}  // namespace nandscape::host
