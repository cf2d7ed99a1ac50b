// SPDX-License-Identifier: Apache-2.0
// Computes the statistics of a window, as one tree.
#pragma once

#include <string>
#include <vector>

#include "core/value.h"
#include "platform/simulation/measured_window.h"

namespace nandscape {

// The groups `host`, those of the drive, and `energy`, between two moments. A null `begin` is the beginning of
// simulated time. `workloads` has the names of the workloads.
Value figures_between(const Moment* begin, const Moment& end, const std::vector<std::string>& workloads);

}  // namespace nandscape
