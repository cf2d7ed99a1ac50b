// SPDX-License-Identifier: Apache-2.0
// The objects that a write frontier works with, and the factory of the configured frontier.
#pragma once

#include <functional>
#include <memory>

#include "controller/mapping/block_pins.h"
#include "controller/mapping/block_table.h"
#include "controller/writing/page_program.h"
#include "controller/writing/write_frontier.h"
#include "controller/writing/write_streams.h"
#include "core/calendar.h"

namespace nandscape::controller {

struct FrontierContext {
  FlashIo& io;
  PagePool& pages;
  BlockTable& blocks;
  BlockPins& pins;
  Calendar& calendar;
  const WriteStreams& streams;
};

using FrontierFactory = std::function<std::unique_ptr<WriteFrontier>(const FrontierContext&)>;

}  // namespace nandscape::controller
