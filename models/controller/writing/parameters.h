// SPDX-License-Identifier: Apache-2.0
// Configuration group `controller.write_mode`.
#pragma once

#include <cstdint>

#include "core/parameters.h"

namespace nandscape::controller {

struct WriteModeParameters {
  VariantChoice policy{"built_in", nullptr};
  std::uint32_t kept_weeks = 0;  // of host writes; 0: as long as all other data
  bool by_content = false;
  double step_ratio = 0;

  // Whether the other keys count, which the built-in policy alone reads.
  bool built_in() const { return policy.name == "built_in"; }
  // Whether all pages are programmed with the device's own step.
  bool plain() const { return built_in() && kept_weeks == 0 && !by_content; }
  // Whether the content of a page decides its step.
  bool goes_by_content() const { return built_in() && by_content; }
  // Whether steps are derived from the cells, as `controller.content` says.
  bool derives_steps() const { return built_in() && (by_content || (kept_weeks != 0 && step_ratio == 0)); }
};
void describe(WriteModeParameters& p, ParameterVisitor& v);

}  // namespace nandscape::controller
