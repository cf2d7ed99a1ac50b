// SPDX-License-Identifier: Apache-2.0
// The parts of a Simulation, and the guard of its calls. Each part uses only the parts that are declared before it.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "platform/config/configuration.h"
#include "platform/simulation/event_loop.h"
#include "platform/simulation/host_traffic.h"
#include "platform/simulation/kernel_context.h"
#include "platform/simulation/measurement.h"
#include "platform/simulation/ownership.h"
#include "platform/simulation/power_cycles.h"

namespace nandscape {

struct SimulationParts {
  // Builds the parts of a simulation. If `state` is given, the simulation continues from this saved state.
  SimulationParts(Configuration given, host::RequestSupplies supplies,
                  std::optional<std::span<const std::byte>> state = {});

  // Saves or restores the whole state except the workloads. Restoring begins a power cycle at the simulated time of the
  // saved state.
  void persist(Archive& archive);
  // Restores the whole state, and opens the workloads from their beginning.
  void load(std::span<const std::byte> state);
  // Called when the drive has lost its power, or when a new power cycle has replaced the last one.
  void power_ended();

  const Configuration configuration;
  Ownership ownership;
  PowerCycles cycles;
  Measurement measurement;
  HostTraffic traffic;
  EventLoop loop;
};

// Guards a call that moves time or changes the simulation. During its lifetime, other calls of the simulation throw
// BusyError, and the call may use the kernel. The simulation is not destroyed before the end of the call, even if its
// owner releases it meanwhile.
class SimulationCall {
 public:
  explicit SimulationCall(const std::shared_ptr<SimulationParts>& simulation)
      : simulation_(simulation), call_(simulation->ownership) {
    if (simulation->cycles.on()) scope_.emplace(simulation->cycles.context());
  }

  SimulationParts& operator*() const { return *simulation_; }
  SimulationParts* operator->() const { return simulation_.get(); }

 private:
  const std::shared_ptr<SimulationParts> simulation_;
  const Ownership::Call call_;
  const KernelLock lock_;
  std::optional<KernelContext::Scope> scope_;
};

}  // namespace nandscape
