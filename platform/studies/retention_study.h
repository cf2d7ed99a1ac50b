// SPDX-License-Identifier: Apache-2.0
// The retention-relaxation model (platform/studies/retention_relaxation) in the paper's unit, weeks. All functions
// throw std::invalid_argument for a number out of its range, and std::domain_error if the equations have no solution.
#pragma once

#include <optional>

#include "platform/studies/retention_relaxation/error_rates.h"

namespace nandscape {

inline constexpr double weeks_per_year = 365.0 / 7;

// The write speedup of pages that must be kept for `weeks` only: Algorithm 1. Cells written at the device's own speed
// reach the correctable error rate after one year.
double write_speedup(const ErrorRates& rates, double weeks);

// How long a code that corrects `correctable_rber` retains data: Algorithm 2. None if it cannot correct the write
// errors.
std::optional<double> retention_weeks(const ErrorRates& rates, double correctable_rber);

}  // namespace nandscape
