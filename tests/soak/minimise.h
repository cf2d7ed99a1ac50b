// SPDX-License-Identifier: Apache-2.0
// Makes a failing sequence small: fewer operations (delta debugging), fewer settings, smaller numbers.
#pragma once

#include <functional>

#include "sequence.h"

namespace nandscape::soak {

// `fails` returns whether a sequence still fails in the same way. The result fails. No single step makes it smaller,
// unless the search ended after `most_trials` calls of `fails`.
Sequence minimised(Sequence sequence, const std::function<bool(const Sequence&)>& fails, unsigned most_trials);

}  // namespace nandscape::soak
