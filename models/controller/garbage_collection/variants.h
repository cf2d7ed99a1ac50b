// SPDX-License-Identifier: Apache-2.0
// The victim policies; a new one adds its file and one line here and in variants.cpp.
#pragma once

#include "controller/garbage_collection/victim_policy.h"

namespace nandscape {

void register_greedy(VictimRegistry& registry);

}  // namespace nandscape
