// SPDX-License-Identifier: Apache-2.0
// The ways to part writes; a new one adds its file and one line here and in variants.cpp.
#pragma once

#include "controller/streams/stream_policy.h"

namespace nandscape {

void register_by_source(StreamRegistry& registry);
void register_single(StreamRegistry& registry);
void register_hot_cold(StreamRegistry& registry);

}  // namespace nandscape
