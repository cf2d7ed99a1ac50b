// SPDX-License-Identifier: Apache-2.0
// Configuration group `controller.content`: ISPP steps chosen by the content of pages [Sha].
#pragma once

#include <string>
#include <vector>

#include "controller/content/content_profile.h"
#include "core/parameters.h"

namespace nandscape::controller {

enum class FasterPages { both, lsb, msb };
enum class StepRule { wordline, page };
enum class ContentBound { relaxed, exact };

struct ContentParameters {
  ContentKind profile = ContentKind::mixed;
  double page_spread = ContentSpread().of_pages;
  FasterPages faster_pages = FasterPages::both;
  StepRule step_rule = StepRule::wordline;
  ContentBound bound = ContentBound::relaxed;
  bool state_mapping = false;
  std::vector<double> steps_mv = {380, 460, 540, 600, 680};  // Table II
  double kept_kilocycles = 15;                               // section V-A
  double kept_months = 12;                                   // section V-A
  double page_failure = 1e-7;
  std::string plugin;  // path of a library; it replaces `bound`; empty: none
  std::string plugin_options;
};
void describe(ContentParameters& p, ParameterVisitor& v);
// Throws ConfigError unless the steps rise from the device's own step `step_mv`.
void check(const ContentParameters& p, double step_mv);

}  // namespace nandscape::controller
