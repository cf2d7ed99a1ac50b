// SPDX-License-Identifier: Apache-2.0
// The threshold-voltage model of the retention-relaxation paper (see error_rates.h), sections 3.1.1 to 3.1.3: the shape
// of equation 5 for each programmed state, with tails fitted such that its errors grow as the error rates say.
//
// The erased state has no part in it. The paper places it in a figure only, its cells are not placed by ISPP, and they
// lie far from the lowest level, so that it would add but a constant to both sides of every fit. What equation 6 sums
// then are the cells below the lower level of each programmed state and above the upper level of each but the highest.
// Counting the lowest level's upper errors as well, as though the erased state had a programmed one's upper tail,
// lowers the speedups by 0.003 at 10 weeks and 0.015 at 2 weeks. As in the paper, the share of misplaced cells is the
// RBER.
#pragma once

#include <cstdint>

#include "platform/studies/retention_relaxation/error_rates.h"

namespace nandscape {

// Voltages in volt. Each level lies midway between states. The defaults are those of the paper's Figure 4.
struct CellLevels {
  std::uint32_t states = 4;  // with the erased one; all are equally likely
  double pitch = 1.2;        // from a state to the next
  double step = 0.2;         // of ISPP

  struct Misplaced {
    double low = 0;   // share of all cells that lie below their state's lower level
    double high = 0;  // above its upper level
    double total() const { return low + high; }
  };
  // With a step `step_ratio` times as large. States stay centred where they are (equation 5), so that a larger step
  // takes half of its width from each side.
  Misplaced misplaced(double sigma_low, double sigma_high, double step_ratio = 1) const;
};

class FittedCells {
 public:
  // Throws std::domain_error when no tails give these error rates.
  explicit FittedCells(const ErrorRates& rates, const CellLevels& levels = {});

  const CellLevels& levels() const { return levels_; }

  // In volt; the step has no influence on them.
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
