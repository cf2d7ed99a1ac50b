// SPDX-License-Identifier: Apache-2.0
// Parameters of the NVMe controller: configuration group host.nvme.
#pragma once

#include <cstdint>
#include <vector>

#include "core/parameters.h"

namespace nandscape::host {

enum class ArbitrationMechanism : std::uint8_t { round_robin, weighted_round_robin };

// A power state of the drive (power_states.h).
struct PowerStateParameters {
  double max_mw = 25000;
  bool operational = true;
  double entry_us = 0;
  double exit_us = 0;
  double idle_mw = 0;
  std::uint32_t idle_before_ms = 0;
};
void describe(PowerStateParameters& p, ParameterVisitor& v);

struct NvmeParameters {
  VariantChoice command_set{"nvm", nullptr};
  std::uint32_t io_queues = 16;
  std::uint32_t queue_entries = 1024;
  std::uint32_t max_transfer_kib = 256;
  ArbitrationMechanism arbitration = ArbitrationMechanism::round_robin;
  std::uint32_t arbitration_burst = 3;
  std::uint32_t fetch_entries = 16;
  std::uint32_t fetches = 4;
  std::uint32_t command_slots = 1024;
  std::uint32_t data_transfers = 4;
  bool volatile_write_cache = true;
  double temperature_rise_c = 10;
  std::vector<PowerStateParameters> power_states = {};
};
void describe(NvmeParameters& p, ParameterVisitor& v);

}  // namespace nandscape::host
