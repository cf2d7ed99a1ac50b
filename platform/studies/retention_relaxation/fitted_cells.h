// SPDX-License-Identifier: Apache-2.0
// The threshold-voltage model of the retention-relaxation paper (see error_rates.h), sections 3.1.1 to 3.1.3: the shape
// of equation 5 for each programmed state, with tails fitted to the growth of the error rates.
//
// The erased state is excluded. The paper places it only in a figure, and ISPP does not place its cells. They are far
// from the lowest level, so they would only add a constant to both sides of every fit. Equation 6 then sums the cells
// below the lower level of each programmed state and above the upper level of each but the highest. Counting upper
// errors at the lowest level too, as if the erased state had the upper tail of a programmed one, lowers the speedups by
// 0.003 at 10 weeks and 0.015 at 2 weeks. As in the paper, the share of misplaced cells is the RBER.
#pragma once

#include <cstdint>

#include "platform/studies/retention_relaxation/error_rates.h"

namespace nandscape {

// Voltages in volts. Each level is midway between states. The defaults are those of the paper's Figure 4.
struct CellLevels {
  std::uint32_t states = 4;  // including the erased state; all are equally likely
  double pitch = 1.2;        // distance between neighbouring states
  double step = 0.2;         // ISPP step

  struct Misplaced {
    double low = 0;   // share of all cells below their state's lower level
    double high = 0;  // share above the upper level
    double total() const { return low + high; }
  };
  // The misplaced cells with a step `step_ratio` times as large. States keep their centres (equation 5), so a larger
  // step widens them by half on each side.
  Misplaced misplaced(double sigma_low, double sigma_high, double step_ratio = 1) const;
};

class FittedCells {
 public:
  // Throws std::domain_error if no tails give these error rates.
  explicit FittedCells(const ErrorRates& rates, const CellLevels& levels = {});

  const CellLevels& levels() const { return levels_; }

  // Widths of the tails in volts; they do not depend on the step.
  double sigma_high() const { return sigma_high_; }
  double sigma_low(double years) const;

  double rber(double years, double step_ratio) const;

 private:
  ErrorRates rates_;
  CellLevels levels_;
  double sigma_high_;
  double sigma_low_written_;
};

}  // namespace nandscape
