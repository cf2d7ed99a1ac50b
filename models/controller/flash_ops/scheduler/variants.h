// SPDX-License-Identifier: Apache-2.0
// The scheduling policies; a new one adds its file and one line here and in variants.cpp.
#pragma once

#include "controller/flash_ops/scheduler/scheduling_policy.h"

namespace nandscape {

void register_fifo(SchedulingRegistry& registry);
void register_flin(SchedulingRegistry& registry);
void register_out_of_order(SchedulingRegistry& registry);
void register_priority(SchedulingRegistry& registry);
void register_read_first(SchedulingRegistry& registry);

}  // namespace nandscape
