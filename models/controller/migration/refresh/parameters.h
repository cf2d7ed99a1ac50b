// SPDX-License-Identifier: Apache-2.0
// Configuration groups `controller.refresh`, `controller.read_disturb` and `controller.scrub`.
#pragma once

#include <cstdint>

#include "core/parameters.h"

namespace nandscape::controller {

struct RefreshParameters {
  VariantChoice policy{"none", nullptr};
  double check_hours = 24;

  // Whether blocks are ever refreshed.
  bool refreshes() const { return policy.name != "none"; }
};
void describe(RefreshParameters& p, ParameterVisitor& v);

struct ReadDisturbParameters {
  std::uint32_t limit_reads = 0;
};
void describe(ReadDisturbParameters& p, ParameterVisitor& v);

struct ScrubParameters {
  double period_hours = 0;
  double relocate_error_fraction = 0.8;
};
void describe(ScrubParameters& p, ParameterVisitor& v);

}  // namespace nandscape::controller
