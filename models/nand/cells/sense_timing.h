// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace nandscape::nand {

// The durations of the three phases of a sense: precharge, evaluation and discharge. The command SET FEATURE can
// shorten them.
struct SenseTiming {
  double t_pre_us = 0;
  double t_eval_us = 0;
  double t_disch_us = 0;

  bool operator==(const SenseTiming&) const = default;
};

}  // namespace nandscape::nand
