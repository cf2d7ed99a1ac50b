// SPDX-License-Identifier: Apache-2.0
// Creates the write frontier that the layout of the flash requires.
#pragma once

#include "controller/fullpages/fullpage_engines.h"
#include "controller/writing/write_frontier.h"

namespace nandscape::controller {

// Returns the factory of the write frontier that the layout requires. `fullpages` must be null unless fullpages are
// spread over layers. In superblocks with members on all planes of a die, the pages of a row on one die wait for each
// other for at most `superpage_wait`.
FrontierFactory frontier_of(const FlashLayout& layout, const FullpageEngines* fullpages, Tick superpage_wait = 0);

}  // namespace nandscape::controller
