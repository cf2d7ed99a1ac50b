// SPDX-License-Identifier: Apache-2.0
// Algorithm 1 of the retention-relaxation paper (see error_rates.h): the speedup of a page write whose data need not be
// kept for a year. A larger ISPP step takes fewer pulses, and the speedup is the ratio of the steps.
#pragma once

#include <optional>

#include "platform/studies/retention_relaxation/fitted_cells.h"

namespace nandscape {

// The longest time, up to one year, for which cells written with a step `step_ratio` times as large stay within
// `correctable_rber`; none if they exceed it directly after writing.
std::optional<double> data_retention(const FittedCells& cells, double step_ratio, double correctable_rber);

// The same, solved for the largest step ratio. Throws std::domain_error if no step allows this retention.
double write_speedup(const FittedCells& cells, double retention_years, double correctable_rber);

}  // namespace nandscape
