// SPDX-License-Identifier: Apache-2.0
#include "platform/studies/retention_relaxation/fitted_cells.h"

#include "core/bracketed_root.h"
#include "nand/cells/state_shape.h"

namespace nandscape {

namespace {

// Upper bound of the search: with wider tails, reading a cell's state is almost a guess.
double widest(const CellLevels& levels) { return 4 * levels.pitch; }

double sigma_low_after_writing(const ErrorRates& rates, const CellLevels& levels, double sigma_high) {
  return bracketed_root([&](double s) { return levels.misplaced(s, sigma_high).low - rates.write_low(); }, 0,
                        widest(levels));
}

// Both tails of equation 5 share its normalisation, so the search for one tail contains the search for the other.
double sigma_high_after_writing(const ErrorRates& rates, const CellLevels& levels) {
  return bracketed_root(
      [&](double s) {
        return levels.misplaced(sigma_low_after_writing(rates, levels, s), s).high - rates.write_high();
      },
      0, widest(levels));
}

}  // namespace

CellLevels::Misplaced CellLevels::misplaced(double sigma_low, double sigma_high, double step_ratio) const {
  const double half_width = step * step_ratio / 2;
  const nand::StateShape shape(-half_width, half_width, sigma_low, sigma_high);
  const double lower_levels = states - 1, upper_levels = states - 2;
  return {lower_levels / states * shape.below(-pitch / 2), upper_levels / states * shape.above(pitch / 2)};
}

FittedCells::FittedCells(const ErrorRates& rates, const CellLevels& levels)
    : rates_(rates),
      levels_(levels),
      sigma_high_(sigma_high_after_writing(rates, levels)),
      sigma_low_written_(sigma_low_after_writing(rates, levels, sigma_high_)) {}

double FittedCells::sigma_low(double years) const {
  // The sum of both sides' errors is not monotonic: a narrow low tail takes more cells from the high tail than it
  // misplaces itself. Beyond its width after writing there is one solution.
  const auto excess = [&](double s) { return levels_.misplaced(s, sigma_high_).total() - rates_.after(years); };
  if (excess(sigma_low_written_) >= 0) return sigma_low_written_;
  return bracketed_root(excess, sigma_low_written_, widest(levels_));
}

double FittedCells::rber(double years, double step_ratio) const {
  return levels_.misplaced(sigma_low(years), sigma_high_, step_ratio).total();
}

}  // namespace nandscape
