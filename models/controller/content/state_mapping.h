// SPDX-License-Identifier: Apache-2.0
// Permutes the states that are written to a wordline [Sha, section IV-B3]. The four states have 24 permutations. One of
// them is chosen for each wordline, so that few of its cells are in states that are often misread. The number of the
// chosen permutation needs five bits and is stored in the spare bytes of the pages.
//
// Every permutation of the four states is an affine function of the two bits. Each output bit is 1 for exactly two of
// the four states, and every such function of two bits is the exclusive or of a constant and of one or both of the
// bits. Therefore a mapping needs at most two exclusive ors for each output bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "controller/content/cell_states.h"

namespace nandscape::controller {

class StateMapping {
 public:
  static constexpr std::uint8_t mappings = 24;  // the number of a mapping fits in five bits

  // Creates the mapping with the given number. Mappings are numbered in the lexicographic order of the states to which
  // they map 11, 10, 01 and 00. Mapping 0 is the identity. Throws std::out_of_range if the number is 24 or more.
  explicit StateMapping(std::uint8_t number = 0);
  // `becomes` gives the state to which each state is mapped. Throws std::invalid_argument unless it contains each state
  // once.
  explicit StateMapping(const ByCellState<CellState>& becomes);

  std::uint8_t number() const { return number_; }
  CellState operator()(CellState state) const { return becomes_[state]; }
  StateMapping inverse() const;
  bool operator==(const StateMapping& other) const { return number_ == other.number_; }

  StateCounts operator()(const StateCounts& states) const;
  // apply() converts the bytes of both pages of a wordline to the bytes that are stored in the cells, and undo()
  // converts them back. Both pages must have the same size.
  void apply(std::span<std::byte> lsb, std::span<std::byte> msb) const;
  void undo(std::span<std::byte> lsb, std::span<std::byte> msb) const { inverse().apply(lsb, msb); }
  // Returns whether the original bits of that page depend on the stored bits of both pages, so that both must be read.
  // For a given page this holds for 16 of the 24 mappings, and for 20 mappings it holds for at least one of the two
  // pages.
  bool mixes(PairedPage page) const;
  // Restores the bytes of one page. `other` contains the stored bytes of the other page. It may be empty if mixes(page)
  // is false.
  void undo(PairedPage page, std::span<std::byte> bytes, std::span<const std::byte> other) const;

 private:
  ByCellState<CellState> becomes_;
  std::uint8_t number_ = 0;
};

// Returns the mapping of Figure 7 in [Sha]: the most frequent state becomes 11, the second 10, the third 01, and the
// least frequent 00.
StateMapping mapping_by_share(const StateCounts& states);

// Returns the mapping with the lowest cost, where cost(mapping) returns the cost of a mapping. If several mappings have
// the lowest cost, the mapping with the lowest number is returned. In particular, the states stay as they are (mapping
// 0) if no mapping reduces the cost.
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
