// SPDX-License-Identifier: Apache-2.0
// The states of two-bit cells, and the number of cells of a wordline in each state [Sha].
//
// The paper writes a state as two digits: 11, 10, 01, 00 in the order of voltage. The left digit is the bit in the MSB
// page, which is read at one level; the right digit is the bit in the LSB page, which is read at three. This is coding
// mlc_13, whose page 0 is the LSB page.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>

namespace nandscape::controller {

// A page of a wordline; the value is its number.
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

// V(P) in the paper: the shares of the cells in each state, which add up to 1.
using StateShares = ByCellState<double>;

struct StateCounts : ByCellState<std::uint32_t> {
  constexpr StateCounts& operator+=(const StateCounts& other) {
    for (std::size_t s = 0; s < cell_states; ++s) of[s] += other.of[s];
    return *this;
  }

  // All shares are 0 if there are no cells.
  StateShares shares() const {
    StateShares shares;
    const double cells = total();
    if (cells > 0) {
      for (std::size_t s = 0; s < cell_states; ++s) shares.of[s] = of[s] / cells;
    }
    return shares;
  }
};

// Divides `cells` cells among the states by these shares, rounded to whole cells.
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

// The four state counters [Sha, section IV-C]: counts how many cells of a wordline are in each state, given the bytes
// of its two pages. Cell i holds bit i of each page. The pages must have equal size; each byte of a page gives eight
// cells.
StateCounts count_states(std::span<const std::byte> lsb, std::span<const std::byte> msb);

// Counts the states of segments.size() equal segments. The size of a page must be a multiple of segments.size().
void count_segments(std::span<const std::byte> lsb, std::span<const std::byte> msb, std::span<StateCounts> segments);

// Counts the states of cells that each hold two neighbouring bits, the higher bit being the left digit: four cells for
// each byte. The paper counts the states of files in this way: 16384 cells in 4 KB.
StateCounts count_symbols(std::span<const std::byte> bytes);

}  // namespace nandscape::controller
