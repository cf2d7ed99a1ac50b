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

// Returns how the controller lays out its mapping units on the flash. The size of a unit must divide the page size, and
// the dies of a superblock must divide the number of dies. Throws ConfigError if the layer groups do not name each
// quarter of the layers exactly once.
FlashLayout flash_layout(const ControllerParameters& parameters, const Geometry& geometry);

WriteStreams write_streams(const ControllerParameters& parameters, StreamPolicy& policy);
// Returns the parameters of collection. Each stream that holds only moved data, besides the reserve stream, has a
// reserved block more. Otherwise a host that writes at full speed would leave no block for it. Collection begins while
// the host may still take a block.
GarbageCollectionParameters collection_parameters(const ControllerParameters& parameters, const WriteStreams& streams);
// Returns the number of streams for which a block is open on each plane.
std::uint64_t open_streams(const ControllerParameters& parameters);

// Returns the number of streams, of those in `streams`, for which a block is open on each plane. The stream for
// long-lived data does not count.
std::uint32_t open_streams(const ControllerParameters& parameters, const WriteStreams& streams);

// Returns how much data each plane may hold. Throws ConfigError if the flash has so few spare blocks that garbage
// collection could stop making progress.
CapacityPlan capacity_plan(const ControllerParameters& parameters, const Geometry& geometry, const PageTimes& times);

}  // namespace nandscape::controller
