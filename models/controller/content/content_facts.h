// SPDX-License-Identifier: Apache-2.0
// The data that content-dependent writing depends on.
#pragma once

#include <cstdint>
#include <memory>

#include "controller/content/content_engine.h"
#include "controller/content/parameters.h"
#include "controller/content/wordline_speed_table.h"

namespace nandscape::controller {

struct ContentFacts {
  ContentParameters parameters;
  std::shared_ptr<const WordlineSpeedTable> speeds;  // null until computed
  // Chooses the steps of cells of two bits in natural binary coding; null for all other codings.
  std::shared_ptr<ContentEngine> engine;
  std::uint32_t cells = 0;     // of a wordline
  bool keeps_bytes = false;    // the simulation keeps the bytes of pages
  bool cells_err = false;      // the cell model misreads cells
  bool lighter_codes = false;  // the content of a page selects its code
};

}  // namespace nandscape::controller
