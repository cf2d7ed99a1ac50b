// SPDX-License-Identifier: Apache-2.0
// The victim policies; a new one adds its file and one line here and in variants.cpp.
#pragma once

#include "controller/migration/garbage_collection/victim_policy.h"

namespace nandscape {

void register_greedy(VictimRegistry& registry);
void register_d_choices(VictimRegistry& registry);
void register_random(VictimRegistry& registry);
void register_fifo(VictimRegistry& registry);
void register_cost_benefit(VictimRegistry& registry);

}  // namespace nandscape
