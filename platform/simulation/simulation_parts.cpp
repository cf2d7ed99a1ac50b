// SPDX-License-Identifier: Apache-2.0
#include "platform/simulation/simulation_parts.h"

#include <utility>

namespace nandscape {

SimulationParts::SimulationParts(Configuration given, host::RequestSupplies supplies,
                                 std::optional<std::span<const std::byte>> state)
    : configuration(std::move(given)),
      cycles(configuration.parameters),
      measurement(configuration.parameters, cycles),
      traffic(configuration, cycles, measurement, ownership, std::move(supplies)),
      loop(cycles, measurement, traffic, ownership) {
  configuration.require_allowed_plugins();
  if (state) {
    load(*state);
  } else {
    cycles.begin({});
    traffic.open_workloads();
  }
}

void SimulationParts::persist(Archive& archive) {
  archive.section("simulation");
  const PowerCycle::Begin begin = cycles.persist_begin(archive);
  measurement.recorder().persist(archive);
  if (archive.loading()) {
    cycles.begin(begin);
    power_ended();
  }
  cycles.persist(archive);
}

void SimulationParts::load(std::span<const std::byte> state) {
  Archive archive(state);
  persist(archive);
  archive.finish();
  measurement.start_over();
  traffic.open_workloads();
}

void SimulationParts::power_ended() {
  traffic.power_ended();
  loop.power_ended();
}

}  // namespace nandscape
