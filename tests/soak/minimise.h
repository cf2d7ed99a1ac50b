// SPDX-License-Identifier: Apache-2.0
// Reduces a failing sequence to a small one that still fails: fewer operations (by delta debugging), fewer settings and
// smaller numbers.
#pragma once

#include <functional>

#include "sequence.h"

namespace nandscape::soak {

// Returns a reduced sequence that still fails. `fails` must return whether a sequence fails in the same way as the
// original. No single step could reduce the result further, unless the search stopped after `most_trials` calls of
// `fails`.
Sequence minimised(Sequence sequence, const std::function<bool(const Sequence&)>& fails, unsigned most_trials);

}  // namespace nandscape::soak
