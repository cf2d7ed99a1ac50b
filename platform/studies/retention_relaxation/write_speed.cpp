// SPDX-License-Identifier: Apache-2.0
#include "platform/studies/retention_relaxation/write_speed.h"

#include "core/bracketed_root.h"

namespace nandscape {

std::optional<double> data_retention(const FittedCells& cells, double step_ratio, double correctable_rber) {
  const auto excess = [&](double years) { return cells.rber(years, step_ratio) - correctable_rber; };
  if (excess(0) > 0) return std::nullopt;
  if (excess(1) <= 0) return 1;
  return bracketed_root(excess, 0, 1);
}

double write_speedup(const FittedCells& cells, double retention_years, double correctable_rber) {
  // At the largest ratio, the flat top of a state reaches the levels.
  const double sigma_low = cells.sigma_low(retention_years);
  return bracketed_root(
      [&](double ratio) {
        return cells.levels().misplaced(sigma_low, cells.sigma_high(), ratio).total() - correctable_rber;
      },
      0, cells.levels().pitch / cells.levels().step);
}

}  // namespace nandscape
