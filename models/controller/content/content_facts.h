// SPDX-License-Identifier: Apache-2.0
// The data that content-dependent writing depends on.
#pragma once

#include <memory>

#include "controller/content/content_engine.h"
#include "controller/content/parameters.h"
#include "controller/content/wordline_speed_table.h"
#include "controller/content/write_speed_table.h"

namespace nandscape::controller {

struct ContentFacts {
  ContentParameters parameters;
  std::shared_ptr<const WriteSpeedTable> speeds;  // null until computed
  std::shared_ptr<ContentEngine> engine;          // null until computed
  // Replaces both if cells do not have two bits in natural binary coding.
  std::shared_ptr<const WordlineSpeedTable> wordlines;
  bool keeps_bytes = false;    // the simulation keeps the bytes of pages
  bool cells_err = false;      // the cell model misreads cells
  bool lighter_codes = false;  // the content of a page selects its code
};

}  // namespace nandscape::controller
