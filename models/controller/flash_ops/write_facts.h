// SPDX-License-Identifier: Apache-2.0
// What write modes have to know of the flash and of the drive.
#pragma once

#include <functional>
#include <limits>

#include "controller/content/content_facts.h"

namespace nandscape::controller {

struct WriteFacts {
  double step_mv = 250;  // of the device's ISPP
  // Larger ones lift cells of one state into the next; ideal cells know no such step.
  double largest_step_mv = std::numeric_limits<double>::infinity();
  // Raw bit errors of pages that were programmed with that step just now, over those that the code corrects; empty:
  // none.
  std::function<double(double step_mv)> young_errors{};
  bool copyback = false;  // collection moves pages within the flash
  ContentFacts content{};
};

}  // namespace nandscape::controller
