// SPDX-License-Identifier: Apache-2.0
// Content-dependent bit error rates (CDBER) [Sha, section IV]. The raw bit error rate of a page depends on the number
// of cells of its wordline in each state, and on how often each state is misread.
#pragma once

#include "controller/content/cell_states.h"

namespace nandscape::controller {

// The error rates of each state, called V(BER_L) and V(BER_R) in equations 1 and 2 of [Sha]. `left` is the share of the
// state's cells that are read as a lower state, and `right` the share that are read as a higher state. State 11 is the
// lowest state, so its `left` is 0. State 00 is the highest, so its `right` is 0.
struct StateErrorRates {
  ByCellState<double> left;
  ByCellState<double> right;
  bool operator==(const StateErrorRates&) const = default;
};

// Returns the CDBER of a page, by equation 4 for the MSB page and by equation 5 for the LSB page.
double cdber(PairedPage page, const StateErrorRates& rates, const StateShares& shares);

// Returns the number or share of the weak cells, which are the cells that are misread most often. For the MSB page
// these are the cells in state 01, and for the LSB page the cells in 01 and 00. The relaxed CDBER depends only on this
// share.
template <class T>
constexpr T weak_cells(PairedPage page, const ByCellState<T>& states) {
  return states[CellState::s01] + (page == PairedPage::lsb ? states[CellState::s00] : T{});
}

// Returns an upper bound on the CDBER, which depends only on the share P of weak cells:
//
//   MSB page  R10 + P (L01 - R10)   equation 6
//   LSB page  R11 + P (L00 - R11)   equation 7
//
// The paper prints the last line of equation 6 as L01 - R10 + P L01, which contradicts both the middle line of equation
// 6 and the form of equation 7. The result is an upper bound only if bounded_by_relaxed() is true.
double relaxed_cdber(PairedPage page, const StateErrorRates& rates, double weak_share);

// Returns whether the error rates satisfy the inequalities from which equations 6 and 7 follow: R10 <= L01, L10 + R10
// <= R11 <= L00, and L01 + R01 <= L00.
bool bounded_by_relaxed(const StateErrorRates& rates);

// Returns the largest share P of weak cells with which the relaxed CDBER is at most `correctable_ber`, or -1 if it is
// higher even without weak cells.
double most_weak_share(PairedPage page, const StateErrorRates& rates, double correctable_ber);

}  // namespace nandscape::controller
