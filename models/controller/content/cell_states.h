// SPDX-License-Identifier: Apache-2.0
// The states of two-bit cells, and the number of cells of a wordline in each state [Sha].
//
// The paper writes a state as two digits. In the order of rising voltage, the states are 11, 10, 01 and 00. The left
// digit is the cell's bit in the MSB page, which is read with one sense; the right digit is its bit in the LSB page,
// which is read with three. This is the coding `mlc_13`, in which page 0 is the LSB page.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>

namespace nandscape::controller {

// The two pages of a wordline. The value is the number of the page in its wordline.
enum class PairedPage : std::uint8_t { lsb, msb };
inline constexpr std::array paired_pages{PairedPage::lsb, PairedPage::msb};

// The states of a cell in the order of rising voltage. State 11 is the erased state.
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

// The share of the cells in each state, called V(P) in the paper. The shares add up to 1.
using StateShares = ByCellState<double>;

struct StateCounts : ByCellState<std::uint32_t> {
  constexpr StateCounts& operator+=(const StateCounts& other) {
    for (std::size_t s = 0; s < cell_states; ++s) of[s] += other.of[s];
    return *this;
  }

  // Returns the share of the cells in each state. All shares are 0 if there are no cells.
  StateShares shares() const {
    StateShares shares;
    const double cells = total();
    if (cells > 0) {
      for (std::size_t s = 0; s < cell_states; ++s) shares.of[s] = of[s] / cells;
    }
    return shares;
  }
};

// Divides `cells` cells among the states in proportion to `shares`, rounded so that the counts add up to `cells`.
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

// Returns the number of cells of a wordline in each state, given the bytes of its two pages. Models the four hardware
// counters of [Sha, section IV-C]. Cell i stores bit i of each page, so each byte of a page describes eight cells.
// Throws std::invalid_argument if the pages differ in size.
StateCounts count_states(std::span<const std::byte> lsb, std::span<const std::byte> msb);

// Divides the pages into segments.size() equal segments, and counts the states in each segment. Throws
// std::invalid_argument if the pages differ in size, or if their size is not a multiple of the number of segments.
void count_segments(std::span<const std::byte> lsb, std::span<const std::byte> msb, std::span<StateCounts> segments);

// Counts the states as if each cell stored two neighbouring bits of `bytes`, the higher bit being the left digit. A
// byte then fills four cells, and 4 KB fill 16384 cells. The paper counts the states of files in this way.
StateCounts count_symbols(std::span<const std::byte> bytes);

}  // namespace nandscape::controller
