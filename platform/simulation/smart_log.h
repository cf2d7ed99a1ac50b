// SPDX-License-Identifier: Apache-2.0
// Converts the SMART log of NVMe to a tree of values.
#pragma once

#include "core/value.h"
#include "protocol/nvme.h"

namespace nandscape {

// Converts the SMART log to a tree. The names are taken from the NVMe specification, with units added. Counters of 128
// bits are cut to their low 64 bits.
Value value_of(const nvme::SmartLog& log);

}  // namespace nandscape
