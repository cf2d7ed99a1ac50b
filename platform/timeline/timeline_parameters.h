// SPDX-License-Identifier: Apache-2.0
// Configuration group `simulation.timeline`.
#pragma once

#include <string>

#include "core/parameters.h"

namespace nandscape {

struct TimelineParameters {
  std::string file;
  double begin_us = 0;
  double end_us = 1e12;
};
void describe(TimelineParameters& p, ParameterVisitor& v);

}  // namespace nandscape
