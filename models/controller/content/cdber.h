// SPDX-License-Identifier: Apache-2.0
// Content-dependent bit error rates (CDBER) [Sha, section IV]. The raw bit error rate of a page depends on the number
// of cells of its wordline in each state, and on how often each state is misread.
#pragma once

#include "controller/content/cell_states.h"

namespace nandscape::controller {

// V(BER_L) and V(BER_R), equations 1 and 2: for each state, the share of its cells that are read as a lower and as a
// higher state. State 11 cannot be read as a lower state, 00 cannot be read as a higher one.
struct StateErrorRates {
  ByCellState<double> left;
  ByCellState<double> right;
  bool operator==(const StateErrorRates&) const = default;
};

// The CDBER of a page: equation 4 for the MSB page, equation 5 for the LSB page.
double cdber(PairedPage page, const StateErrorRates& rates, const StateShares& shares);

// The number or share of weak cells, on which the relaxed forms depend: cells in 01 for the MSB page, in 01 or 00 for
// the LSB page.
template <class T>
constexpr T weak_cells(PairedPage page, const ByCellState<T>& states) {
  return states[CellState::s01] + (page == PairedPage::lsb ? states[CellState::s00] : T{});
}

// An upper bound on the CDBER, computed from the share P of weak cells alone:
//
//   MSB page  R10 + P (L01 - R10)   equation 6
//   LSB page  R11 + P (L00 - R11)   equation 7
//
// The last line of equation 6 is printed as L01 - R10 + P L01, which contradicts its middle line and equation 7. The
// bound holds where bounded_by_relaxed() is true.
double relaxed_cdber(PairedPage page, const StateErrorRates& rates, double weak_share);

// Whether the error rates have the order that equations 6 and 7 need: R10 <= L01, L10 + R10 <= R11 <= L00, L01 + R01 <=
// L00.
bool bounded_by_relaxed(const StateErrorRates& rates);

// Returns the largest share P of weak cells at which the relaxed CDBER is correctable, or -1 if no share is.
double most_weak_share(PairedPage page, const StateErrorRates& rates, double correctable_ber);

}  // namespace nandscape::controller
