// SPDX-License-Identifier: Apache-2.0
// The write frontiers; a new one adds its files and its case in frontiers.cpp.
#pragma once

#include <memory>

#include "controller/mapping/block_pins.h"
#include "controller/mapping/fullpage_pattern.h"
#include "controller/writing/write_frontier.h"
#include "controller/writing/write_streams.h"
#include "core/calendar.h"

namespace nandscape {

// The one that the layout asks for. `fullpages` is null where they are not spread over layers.
std::unique_ptr<WriteFrontier> make_frontier(const WriteStreams& streams, const FullpagePattern* fullpages, FlashIo& io,
                                             PagePool& pages, BlockTable& blocks, BlockPins& pins, Calendar& calendar);

}  // namespace nandscape
