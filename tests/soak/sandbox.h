// SPDX-License-Identifier: Apache-2.0
// Plays each sequence in its own process, so that a crash or a hang is an outcome, too.
#pragma once

#include "episode.h"

namespace nandscape::soak {

// Plays a sequence in its own process. A crash and more than `longest_s` seconds of processor time are failures.
Outcome play_apart(const Sequence& sequence, unsigned longest_s);

}  // namespace nandscape::soak
