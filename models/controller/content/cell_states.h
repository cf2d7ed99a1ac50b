// SPDX-License-Identifier: Apache-2.0
// The states of cells of two bits, and how many cells of a wordline are in each [Sha].
//
// The paper writes a state as two digits, 11, 10, 01, 00 in the order of their voltage: the left digit is the bit in
// the MSB page, which is read at one level, the right one that in the LSB page, read at three. That is coding mlc_13,
// whose page 0 is the LSB page.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace nandscape::controller {

// Of a wordline, by its number.
enum class PairedPage : std::uint8_t { lsb, msb };
inline constexpr std::array paired_pages{PairedPage::lsb, PairedPage::msb};

// In the order of voltage; 11 is the erased state.
enum class CellState : std::uint8_t { s11, s10, s01, s00 };
inline constexpr std::size_t cell_states = 4;

template <class T>
struct ByCellState {
  std::array<T, cell_states> of{};

  constexpr T& operator[](CellState state) { return of[static_cast<std::size_t>(state)]; }
  constexpr const T& operator[](CellState state) const { return of[static_cast<std::size_t>(state)]; }
  constexpr T total() const { return std::accumulate(of.begin(), of.end(), T{}); }
  bool operator==(const ByCellState&) const = default;
};

// V(P) of the paper: shares of the cells, which add up to 1.
using StateShares = ByCellState<double>;

struct StateCounts : ByCellState<std::uint32_t> {
  constexpr StateCounts& operator+=(const StateCounts& other) {
    for (std::size_t s = 0; s < cell_states; ++s) of[s] += other.of[s];
    return *this;
  }

  // Of no cells: none.
  StateShares shares() const {
    StateShares shares;
    const double cells = total();
    if (cells > 0) {
      for (std::size_t s = 0; s < cell_states; ++s) shares.of[s] = of[s] / cells;
    }
    return shares;
  }
};

// So many cells with these shares, as near as whole numbers come.
inline StateCounts counts_of(const StateShares& shares, std::uint32_t cells) {
  StateCounts counts;
  double share = 0;
  std::uint32_t counted = 0;
  for (std::size_t s = 0; s < cell_states; ++s) {
    share += shares.of[s];
    const auto up_to_here = s + 1 == cell_states ? cells : static_cast<std::uint32_t>(std::lround(share * cells));
    counts.of[s] = up_to_here - counted;
    counted = up_to_here;
  }
  return counts;
}

}  // namespace nandscape::controller
