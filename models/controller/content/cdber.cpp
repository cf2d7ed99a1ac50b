// SPDX-License-Identifier: Apache-2.0
#include "controller/content/cdber.h"

#include <algorithm>

namespace nandscape::controller {

namespace {

using enum CellState;

// The relaxed CDBER is a linear function of the share of weak cells. It is `none` if the wordline has no weak cells,
// and `all` if all of its cells are weak.
struct Ends {
  double none;
  double all;
};

Ends ends(PairedPage page, const StateErrorRates& rates) {
  if (page == PairedPage::msb) return {rates.right[s10], rates.left[s01]};
  return {rates.right[s11], rates.left[s00]};
}

}  // namespace

double cdber(PairedPage page, const StateErrorRates& rates, const StateShares& shares) {
  const auto& [left, right] = rates;
  const double msb = shares[s10] * right[s10] + shares[s01] * left[s01];
  if (page == PairedPage::msb) return msb;
  return msb + shares[s11] * right[s11] + shares[s10] * left[s10] + shares[s01] * right[s01] + shares[s00] * left[s00];
}

double relaxed_cdber(PairedPage page, const StateErrorRates& rates, double weak_share) {
  const auto [none, all] = ends(page, rates);
  return none + weak_share * (all - none);
}

bool bounded_by_relaxed(const StateErrorRates& rates) {
  const auto& [left, right] = rates;
  return right[s10] <= left[s01] && left[s10] + right[s10] <= right[s11] && right[s11] <= left[s00] &&
         left[s01] + right[s01] <= left[s00];
}

double most_weak_share(PairedPage page, const StateErrorRates& rates, double correctable_ber) {
  const auto [none, all] = ends(page, rates);
  if (none > correctable_ber) return -1;
  if (all <= correctable_ber) return 1;
  return std::min(1.0, (correctable_ber - none) / (all - none));
}

}  // namespace nandscape::controller
