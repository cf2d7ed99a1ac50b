// SPDX-License-Identifier: Apache-2.0
// When the requests of an open loop come.
#pragma once

#include "core/random.h"
#include "core/registry.h"
#include "core/ticks.h"

namespace nandscape::host {

class ArrivalProcess {
 public:
  virtual ~ArrivalProcess() = default;

  // The time of the next request, counted from the start of the workload; never earlier than the one before.
  virtual Tick next(RandomStream& random) = 0;
};

// Processes are made as Process(const Process::Parameters&, double rate_iops); the rate is the mean over a long time.
using ArrivalRegistry = Registry<ArrivalProcess, double>;

const ArrivalRegistry& arrival_processes();

void register_poisson(ArrivalRegistry& processes);
void register_constant(ArrivalRegistry& processes);
void register_bursty(ArrivalRegistry& processes);

}  // namespace nandscape::host
