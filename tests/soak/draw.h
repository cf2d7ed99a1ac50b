// SPDX-License-Identifier: Apache-2.0
// Draws drives and what happens to them.
#pragma once

#include <cstdint>

#include "sequence.h"

namespace nandscape::soak {

// The same for the same seed. Some settings do not go together; play() says so.
Sequence draw_sequence(std::uint64_t seed);

}  // namespace nandscape::soak
