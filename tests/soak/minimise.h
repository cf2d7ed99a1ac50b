// SPDX-License-Identifier: Apache-2.0
// Makes a failing sequence small: fewer operations (delta debugging), fewer settings, smaller numbers.
#pragma once

#include <functional>

#include "sequence.h"

namespace nandscape::soak {

// `fails` says whether a sequence still fails in the same way. What comes back fails, and nothing that is tried makes
// it any smaller; or `fails` was asked so often that the effort ends.
Sequence minimised(Sequence sequence, const std::function<bool(const Sequence&)>& fails, unsigned most_trials);

}  // namespace nandscape::soak
