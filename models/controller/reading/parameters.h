// SPDX-License-Identifier: Apache-2.0
// Configuration group `controller.read_retry`.
#pragma once

#include <string>

#include "controller/reading/step_order.h"
#include "core/parameters.h"

namespace nandscape::controller {

struct ReadRetryParameters {
  VariantChoice policy{"regular", nullptr};
  bool pso = false;
  StepSearch pso_search = StepSearch::outwards;
  std::string timing_table;

  // Properties of the policy.
  bool adapts_timing() const;
  bool reads_soft() const;
};
void describe(ReadRetryParameters& p, ParameterVisitor& v);

}  // namespace nandscape::controller
