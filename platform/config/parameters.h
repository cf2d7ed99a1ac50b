// SPDX-License-Identifier: Apache-2.0
// The parameters of the whole platform, one group per block.
#pragma once

#include <cstdint>
#include <memory>

#include "core/parameters.h"
#include "host/parameters.h"
#include "nand/cell_models/cell_model.h"
#include "platform/config/block_choices.h"
#include "platform/config/flash_device_parameters.h"
#include "platform/config/window_parameters.h"
#include "platform/timeline/timeline_parameters.h"

namespace nandscape {

enum class DataFidelity { none, stored };

// Configuration group `simulation`: what is simulated, and at which fidelity.
struct SimulationParameters {
  std::uint64_t seed = 1;
  DataFidelity data = DataFidelity::none;
  VariantChoice cells{"ideal", nullptr};
  double quantum_us = 1000;
  std::uint32_t threads = 1;
  bool check_protocol = false;
  bool request_log = true;
  bool breakdown = false;
  WarmupParameters warmup;
  SteadyParameters steady;
  BlockChoices blocks;
  TimelineParameters timeline;
};
void describe(SimulationParameters& p, ParameterVisitor& v);
std::unique_ptr<nand::CellModel> cell_model_of(const SimulationParameters& parameters);

struct PlatformParameters : FlashDeviceParameters {
  SimulationParameters simulation;
  host::HostParameters host;
};
void describe(PlatformParameters& p, ParameterVisitor& v);

}  // namespace nandscape
