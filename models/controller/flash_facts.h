// SPDX-License-Identifier: Apache-2.0
// The facts that the controller knows about its flash and ECC engines. Each struct groups the facts that one part of
// the controller needs.
#pragma once

#include <cstdint>
#include <memory>

#include "controller/ecc_selection/ecc_selection.h"
#include "controller/flash_ops/data_path.h"
#include "controller/mapping/block_age.h"
#include "controller/mapping/running_hours.h"
#include "controller/power/power_control.h"
#include "controller/reading/read_timing_table.h"
#include "controller/writing/write_mode.h"
#include "core/parameters.h"
#include "core/temperature_source.h"

namespace nandscape::controller {

// The facts on which the choice of a page's code depends.
struct CodeFacts {
  VariantChoice selection{"uniform", nullptr};  // the configured `ecc.selection` policy
  SegmentLimits segment_limits;                 // derived from the cells of the drive, if the policy asks for it
  ScrambleBytes scrambler;                      // empty if pages are not scrambled
};

// The age and wear that the flash has at the beginning of the simulation, and how temperature and wear age its data.
struct AgeFacts {
  BlockAge first;
  // The number of hours at 30 C that age data as much as one hour at the configured temperature.
  double running_hours = 1;
  // Temperature of the flash.
  std::shared_ptr<TemperatureSource> temperature = std::make_shared<ConstantTemperature>(30);
  double rated_cycles = 3000;

  RunningHours running() const { return {running_hours, temperature}; }
};

struct FlashFacts {
  std::uint32_t pages_per_wordline = 1;  // in the native mode of the cells; other modes: see mapping/block_shape.h
  DataPath path;
  PageTimes page_times;
  RetryFacts retries;
  CodeFacts codes;
  AgeFacts ages;
  RefreshContext refresh;
  WriteFacts write;
  FlashPower power;
};

}  // namespace nandscape::controller
