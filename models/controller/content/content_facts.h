// SPDX-License-Identifier: Apache-2.0
// What writing by content goes by.
#pragma once

#include <memory>

#include "controller/content/content_engine.h"
#include "controller/content/parameters.h"
#include "controller/content/wordline_speed_table.h"
#include "controller/content/write_speed_table.h"

namespace nandscape::controller {

struct ContentFacts {
  ContentParameters parameters;
  std::shared_ptr<const WriteSpeedTable> speeds;  // null where nobody asks for them
  std::shared_ptr<ContentEngine> engine;          // likewise
  // In the place of both, where cells are not of two bits in natural order.
  std::shared_ptr<const WordlineSpeedTable> wordlines;
  bool keeps_bytes = false;    // pages have bytes to count
  bool cells_err = false;      // cells are misread
  bool lighter_codes = false;  // what pages hold decides of their code
};

}  // namespace nandscape::controller
