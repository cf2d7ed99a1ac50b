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
  bool copyback = false;   // collection moves pages within the flash
  ContentFacts content{};  // without tables
  // With those of data that are kept for so many months at 30 C. Takes some time.
  std::function<ContentFacts(double months)> content_kept_for{};
  // The largest ISPP step, in mV, with which content of all states alike is correctable after that time; the device's
  // own where none is. Empty: there are no cells that err.
  std::function<double(double months)> largest_step_kept_for{};
};

}  // namespace nandscape::controller
