// SPDX-License-Identifier: Apache-2.0
// The SMART log of NVMe as a tree of values.
#pragma once

#include "core/value.h"
#include "protocol/nvme.h"

namespace nandscape {

// Names as in the specification, with units. Counters of 128 bits are given by their low half.
Value value_of(const nvme::SmartLog& log);

}  // namespace nandscape
