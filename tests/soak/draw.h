// SPDX-License-Identifier: Apache-2.0
// Draws drives and sequences of operations.
#pragma once

#include <cstdint>

#include "sequence.h"

namespace nandscape::soak {

// Returns the same sequence for the same seed. Some combinations of settings are invalid; play() reports these.
Sequence draw_sequence(std::uint64_t seed);

}  // namespace nandscape::soak
