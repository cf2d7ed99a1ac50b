// SPDX-License-Identifier: Apache-2.0
// Plays each sequence in a separate process, so that a crash or a hang is reported like any other failure.
#pragma once

#include "episode.h"

namespace nandscape::soak {

// Plays a sequence in a separate process. A crash is a failure, and so is a run of more than `longest_s` seconds of
// processor time.
Outcome play_apart(const Sequence& sequence, unsigned longest_s);

}  // namespace nandscape::soak
