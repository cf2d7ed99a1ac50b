// SPDX-License-Identifier: Apache-2.0
// Everything that lives from power-on to power-off: a kernel context, a calendar and a machine. Its destruction loses
// all volatile state; non-volatile state must be saved to an Archive before.
#pragma once

#include <cstdint>
#include <optional>

#include "controller/mapping/start_up.h"
#include "core/calendar.h"
#include "platform/config/parameters.h"
#include "platform/simulation/kernel_context.h"
#include "platform/wiring/machine.h"

namespace nandscape {

class PowerCycle {
 public:
  // Simulated time continues from the end of the previous cycle.
  struct Begin {
    Tick now = 0;
    std::uint64_t events_run = 0;
    controller::StartUp start_up = controller::StartUp::as_preconditioned;
  };

  PowerCycle(const PlatformParameters& parameters, const Begin& begin, Timeline* timeline);
  ~PowerCycle();
  PowerCycle(const PowerCycle&) = delete;
  PowerCycle& operator=(const PowerCycle&) = delete;

  const KernelContext& context() const { return context_; }
  Calendar& calendar() { return calendar_; }
  const Calendar& calendar() const { return calendar_; }
  Machine& machine() { return *machine_; }
  const Machine& machine() const { return *machine_; }
  controller::StartUp start_up() const { return start_up_; }

 private:
  const controller::StartUp start_up_;
  KernelContext context_;
  Calendar calendar_;
  std::optional<Machine> machine_;
};

}  // namespace nandscape
