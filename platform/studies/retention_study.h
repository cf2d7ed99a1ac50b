// SPDX-License-Identifier: Apache-2.0
// The retention-relaxation model (platform/studies/retention_relaxation) in its paper's terms: retention in weeks. A
// number out of its range throws std::invalid_argument, one for which nothing solves the equations std::domain_error.
#pragma once

#include <optional>

#include "platform/studies/retention_relaxation/error_rates.h"

namespace nandscape {

inline constexpr double weeks_per_year = 365.0 / 7;

// How much faster pages are written that need be kept for so long only: Algorithm 1. Cells that are written at the
// device's own speed reach the correctable error rate after a year.
double write_speedup(const ErrorRates& rates, double weeks);

// How long a code that corrects `correctable_rber` retains data: Algorithm 2. None when it cannot correct the write
// errors.
std::optional<double> retention_weeks(const ErrorRates& rates, double correctable_rber);

}  // namespace nandscape
