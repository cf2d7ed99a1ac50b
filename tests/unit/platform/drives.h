// SPDX-License-Identifier: Apache-2.0
// Small drives for tests of the class Simulation.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "platform/simulation/simulation.h"

namespace nandscape {

inline Configuration small_drive(const std::vector<std::string>& assignments = {}) {
  std::vector<Override> overrides;
  for (const char* assignment :
       {"channel.count=2", "nand.geometry.chips_per_channel=1", "nand.geometry.blocks_per_plane=24",
        "nand.geometry.pages_per_block=96", "controller.mapping.over_provisioning=0.5", "host.workload.requests=3000",
        "host.workload.queue_depth=8", "simulation.request_log=true"}) {
    overrides.push_back(parse_override(assignment));
  }
  for (const std::string& assignment : assignments) overrides.push_back(parse_override(assignment));
  return load_configuration("bare", overrides);
}

inline std::vector<std::byte> page_of(int value) {
  return std::vector<std::byte>(16384, static_cast<std::byte>(value));
}

}  // namespace nandscape
