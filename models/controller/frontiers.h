// SPDX-License-Identifier: Apache-2.0
// The write frontiers.
#pragma once

#include "controller/fullpages/fullpage_engines.h"
#include "controller/writing/frontier_context.h"

namespace nandscape::controller {

// Makes the one that the layout asks for. `fullpages` is null where they are not spread over layers.
FrontierFactory frontier_of(const FlashLayout& layout, const FullpageEngines* fullpages);

}  // namespace nandscape::controller
