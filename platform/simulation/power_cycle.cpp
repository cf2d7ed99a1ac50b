// SPDX-License-Identifier: Apache-2.0
#include "platform/simulation/power_cycle.h"

namespace nandscape {

PowerCycle::PowerCycle(const PlatformParameters& parameters, const Begin& begin, Timeline* timeline)
    : start_up_(begin.start_up), calendar_(begin.now, begin.events_run) {
  const KernelContext::Scope scope(context_);
  machine_.emplace(parameters, calendar_, begin.start_up, timeline);
}

PowerCycle::~PowerCycle() {
  const KernelContext::Scope scope(context_);
  if (machine_) machine_->calendar().kill_processes();
  machine_.reset();
}

}  // namespace nandscape
