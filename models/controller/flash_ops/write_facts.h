// SPDX-License-Identifier: Apache-2.0
// Facts of the flash and of the drive that write modes depend on.
#pragma once

#include <functional>
#include <limits>

#include "controller/content/content_facts.h"

namespace nandscape::controller {

struct WriteFacts {
  double step_mv = 250;  // the device's own ISPP step
  // Larger steps lift cells of one state into the next. Ideal cells have no such limit.
  double largest_step_mv = std::numeric_limits<double>::infinity();
  // Raw bit errors of a page just programmed with that step, over the errors that the code corrects. Empty: there are
  // none.
  std::function<double(double step_mv)> young_errors{};
  bool copyback = false;   // collection moves pages by copyback
  ContentFacts content{};  // without step tables
  // The content facts with step tables for data that are kept for `months` at 30 C. Slow.
  std::function<ContentFacts(double months)> content_kept_for{};
  // The largest ISPP step, in mV, with which content of equally frequent states is correctable after `months`; the
  // device's own step if there is none. Empty if the cells have no errors.
  std::function<double(double months)> largest_step_kept_for{};
};

}  // namespace nandscape::controller
