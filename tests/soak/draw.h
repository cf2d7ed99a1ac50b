// SPDX-License-Identifier: Apache-2.0
// Draws random drives and random sequences of operations on them.
#pragma once

#include <cstdint>

#include "sequence.h"

namespace nandscape::soak {

// Draws the settings of a drive and a sequence of operations from a seed; the same seed always gives the same sequence.
// Some combinations of settings are invalid, which play() reports.
Sequence draw_sequence(std::uint64_t seed);

}  // namespace nandscape::soak
