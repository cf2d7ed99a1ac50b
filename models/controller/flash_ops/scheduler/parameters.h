// SPDX-License-Identifier: Apache-2.0
// Configuration group `controller.scheduler`.
#pragma once

#include <cstdint>

#include "core/parameters.h"

namespace nandscape::controller {

enum class Suspend { none, program, erase, program_erase };

struct SchedulerParameters {
  VariantChoice policy{"out_of_order", nullptr};
  Suspend suspend = Suspend::program_erase;
  std::uint32_t max_suspends = 0;
  double min_run_us = 0;
  bool multi_plane = true;
  bool cache_read = false;
  bool cache_program = false;
};
void describe(SchedulerParameters& p, ParameterVisitor& v);

}  // namespace nandscape::controller
