// SPDX-License-Identifier: Apache-2.0
// Permutes the states that are written to a wordline [Sha, section IV-B3]. The permutation, one of the 24 of the four
// states, is chosen so that few cells are in states that are often misread. Its number, five bits long, is kept in the
// spare bytes of the pages.
//
// Each permutation of pairs of bits is affine. Each output bit is 1 for two of the four states. Every such function of
// two bits is the exclusive or of one or both of them and a constant. A mapping therefore takes two exclusive ors for
// each bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "controller/content/cell_states.h"

namespace nandscape::controller {

class StateMapping {
 public:
  static constexpr std::uint8_t mappings = 24;  // the number fits in five bits

  // Mappings are numbered in the lexicographic order of the images of 11, 10, 01 and 00; 0 is the identity. Throws
  // std::out_of_range if there is no mapping with that number.
  explicit StateMapping(std::uint8_t number = 0);
  // `becomes` contains each state once; otherwise std::invalid_argument is thrown.
  explicit StateMapping(const ByCellState<CellState>& becomes);

  std::uint8_t number() const { return number_; }
  CellState operator()(CellState state) const { return becomes_[state]; }
  StateMapping inverse() const;
  bool operator==(const StateMapping& other) const { return number_ == other.number_; }

  StateCounts operator()(const StateCounts& states) const;
  // Convert the pages of a wordline from written to stored bytes (apply) and back (undo). Both pages have equal size.
  void apply(std::span<std::byte> lsb, std::span<std::byte> msb) const;
  void undo(std::span<std::byte> lsb, std::span<std::byte> msb) const { inverse().apply(lsb, msb); }
  // Whether the written bits of that page depend on the stored bits of the other page, too. This holds for 16 of the
  // mappings on a given page, and for 20 on at least one page.
  bool mixes(PairedPage page) const;
  // Restores one page. `other` is the other page as stored; it may be empty unless the mapping mixes the page.
  void undo(PairedPage page, std::span<std::byte> bytes, std::span<const std::byte> other) const;

 private:
  ByCellState<CellState> becomes_;
  std::uint8_t number_ = 0;
};

// The rule of Figure 7: the most frequent state becomes 11, the next ones 10, 01 and 00.
StateMapping mapping_by_share(const StateCounts& states);

// The mapping with the lowest cost. The lowest number wins a tie, so that states are not mapped without a benefit.
template <class Cost>
StateMapping cheapest_mapping(Cost cost) {
  StateMapping best;
  double lowest = cost(best);
  for (std::uint8_t number = 1; number < StateMapping::mappings; ++number) {
    const StateMapping mapping(number);
    const double here = cost(mapping);
    if (here < lowest) {
      lowest = here;
      best = mapping;
    }
  }
  return best;
}

}  // namespace nandscape::controller
