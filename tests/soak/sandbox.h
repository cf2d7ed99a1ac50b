// SPDX-License-Identifier: Apache-2.0
// Plays sequences in processes of their own, so that a crash or a hang is an outcome, too.
#pragma once

#include "episode.h"

namespace nandscape::soak {

// Crashes and sequences that take longer than `longest_s` seconds of processor time are failures.
Outcome play_apart(const Sequence& sequence, unsigned longest_s);

}  // namespace nandscape::soak
