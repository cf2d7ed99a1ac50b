// SPDX-License-Identifier: Apache-2.0
// Converts the SMART log of NVMe to a tree of values.
#pragma once

#include "core/value.h"
#include "protocol/nvme.h"

namespace nandscape {

// Names are taken from the specification, and include the units. Counters of 128 bits are cut to their low half.
Value value_of(const nvme::SmartLog& log);

}  // namespace nandscape
