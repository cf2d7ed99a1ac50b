// SPDX-License-Identifier: Apache-2.0
// Derives the flash layout, the write streams and the exported capacity from the controller's parameters.
#pragma once

#include <cstdint>

#include "controller/addresses/flash_layout.h"
#include "controller/flash_ops/data_path.h"
#include "controller/mapping/capacity_plan.h"
#include "controller/parameters.h"
#include "controller/streams/stream_policy.h"
#include "controller/writing/writing_state.h"
#include "protocol/geometry.h"

namespace nandscape::controller {

// The unit size must divide the page size, and the stripe width the number of dies. Throws ConfigError if the layer
// groups do not name each quarter once.
FlashLayout flash_layout(const ControllerParameters& parameters, const Geometry& geometry);

WriteStreams write_streams(const ControllerParameters& parameters, StreamPolicy& policy);
// The number of streams that have a block open on each plane.
std::uint64_t open_streams(const ControllerParameters& parameters);

// The number of `streams` that have a block open on each plane.
std::uint32_t open_streams(const ControllerParameters& parameters, const WriteStreams& streams);

// Throws ConfigError unless garbage collection can always make progress.
CapacityPlan capacity_plan(const ControllerParameters& parameters, const Geometry& geometry, const PageTimes& times);

}  // namespace nandscape::controller
