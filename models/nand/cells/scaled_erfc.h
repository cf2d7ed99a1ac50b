// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

namespace nandscape::nand {

// Returns exp(u^2) erfc(u) for u >= 0. For u >= 4, where exp(u^2) becomes very large and erfc(u) very small, the
// function uses a continued fraction.
inline double scaled_erfc(double u) {
  if (u < 4) return std::exp(u * u) * std::erfc(u);
  double fraction = u;
  for (int k = u < 8 ? 40 : 12; k >= 1; --k) fraction = u + 0.5 * k / fraction;
  return 0.56418958354775628695 / fraction;
}

}  // namespace nandscape::nand
