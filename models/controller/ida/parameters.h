// SPDX-License-Identifier: Apache-2.0
// Parameters of controller.refresh.policy: ida.
#pragma once

#include <cstdint>

#include "core/parameters.h"

namespace nandscape::controller {

// Which of the wordlines in Table I stay.
enum class StayingWordlines : std::uint8_t {
  all,
  repaying,  // only if reads until the next refresh gain more time than the adjustment costs
};

struct IdaParameters {
  double period_days = 90;
  double error_rate = 0;
  double write_back_error_fraction = 0.8;
  StayingWordlines wordlines = StayingWordlines::all;
};
void describe(IdaParameters& p, ParameterVisitor& v);

}  // namespace nandscape::controller
