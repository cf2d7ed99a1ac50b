// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace nandscape::nand {

// Durations of the three phases of a sense; SET FEATURE may shorten them.
struct SenseTiming {
  double t_pre_us = 0;
  double t_eval_us = 0;
  double t_disch_us = 0;

  bool operator==(const SenseTiming&) const = default;
};

}  // namespace nandscape::nand
