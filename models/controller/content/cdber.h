// SPDX-License-Identifier: Apache-2.0
// Content-dependent bit error rates [Sha, section IV]: the raw bit error rate of a page follows from how many cells of
// its wordline are in each state, and from how often each state is misread.
#pragma once

#include "controller/content/cell_states.h"

namespace nandscape::controller {

// V(BER_L) and V(BER_R), equations 1 and 2: shares of the cells of a state that are read as a lower and as a higher
// one. 11 cannot be read as a lower state, 00 not as a higher one.
struct StateErrorRates {
  ByCellState<double> left;
  ByCellState<double> right;
  bool operator==(const StateErrorRates&) const = default;
};

// Equation 4 of the MSB page, equation 5 of the LSB page.
double cdber(PairedPage page, const StateErrorRates& rates, const StateShares& shares);

// What the relaxed forms ask of the content: how many cells are in 01 (MSB page), in 01 or 00 (LSB page).
template <class T>
constexpr T weak_cells(PairedPage page, const ByCellState<T>& states) {
  return states[CellState::s01] + (page == PairedPage::lsb ? states[CellState::s00] : T{});
}

// An upper bound of the CDBER from that share P alone:
//   MSB page  R10 + P (L01 - R10)   equation 6; its last line is printed as L01 - R10 + P L01, which its middle line
//   and
//                                   the other equation contradict
//   LSB page  R11 + P (L00 - R11)   equation 7
// It is one where bounded_by_relaxed() holds.
double relaxed_cdber(PairedPage page, const StateErrorRates& rates, double weak_share);

// The order of the error rates that equations 6 and 7 need: R10 <= L01, L10 + R10 <= R11 <= L00, L01 + R01 <= L00.
bool bounded_by_relaxed(const StateErrorRates& rates);

// The largest share P at which the relaxed CDBER is correctable, at most 1; negative if none is.
double most_weak_share(PairedPage page, const StateErrorRates& rates, double correctable_ber);

}  // namespace nandscape::controller
