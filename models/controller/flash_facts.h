// SPDX-License-Identifier: Apache-2.0
// The facts that the controller knows about its flash and the ECC engines, grouped by reader.
#pragma once

#include <cstdint>
#include <memory>

#include "controller/ecc_selection/ecc_selection.h"
#include "controller/flash_ops/data_path.h"
#include "controller/mapping/block_age.h"
#include "controller/mapping/running_hours.h"
#include "controller/reading/read_timing_table.h"
#include "controller/writing/write_mode.h"
#include "core/parameters.h"
#include "core/temperature_source.h"

namespace nandscape::controller {

// The inputs for choosing the codes of pages.
struct CodeFacts {
  VariantChoice selection{"uniform", nullptr};  // the `ecc.selection` policy
  SegmentLimits segment_limits;                 // derived from the cells, if the selection asks
  ScrambleBytes scrambler;                      // set if pages are scrambled
};

// The initial age and wear of the flash, and the effect of age and wear on data.
struct AgeFacts {
  BlockAge first;
  double running_hours = 1;  // hours at 30 C per hour at the configured temperature
  std::shared_ptr<TemperatureSource> temperature = std::make_shared<ConstantTemperature>(30);  // flash temperature
  double rated_cycles = 3000;

  RunningHours running() const { return {running_hours, temperature}; }
};

struct FlashFacts {
  std::uint32_t pages_per_wordline = 1;  // in the native mode of the cells; see mapping/block_shape.h for other modes
  DataPath path;
  PageTimes page_times;
  RetryFacts retries;
  CodeFacts codes;
  AgeFacts ages;
  RefreshContext refresh;
  WriteFacts write;
};

}  // namespace nandscape::controller
