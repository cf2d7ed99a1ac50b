// SPDX-License-Identifier: Apache-2.0
// Parameters of controller.refresh.policy: ida.
#pragma once

#include "core/parameters.h"

namespace nandscape::controller {

struct IdaParameters {
  double period_days = 90;
  double error_rate = 0;
  double write_back_error_fraction = 0.8;
};
void describe(IdaParameters& p, ParameterVisitor& v);

}  // namespace nandscape::controller
