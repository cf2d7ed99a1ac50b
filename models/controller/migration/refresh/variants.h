// SPDX-License-Identifier: Apache-2.0
// The refresh policies; a new one adds its file and one line here and in variants.cpp.
#pragma once

#include "controller/migration/refresh/refresh_policy.h"

namespace nandscape {

void register_no_refresh(RefreshRegistry& registry);
void register_period(RefreshRegistry& registry);
void register_predicted_rber(RefreshRegistry& registry);

}  // namespace nandscape
