// SPDX-License-Identifier: Apache-2.0
// Writing other states than the data ask for [Sha, section IV-B3]: one of the 24 permutations of the four states,
// chosen for a wordline so that few of its cells get states that are misread often. Five bits in the spare bytes of its
// pages tell which one.
//
// Each permutation of pairs of bits is affine: a bit that it gives is 1 for two states of the four, and all functions
// of two bits with that property are sums of them and a constant. So a mapping is two exclusive ors for each bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "controller/content/cell_states.h"
#include "controller/content/segment_table.h"
#include "controller/content/write_speed_table.h"

namespace nandscape::controller {

class StateMapping {
 public:
  static constexpr std::uint8_t mappings = 24;  // which five bits hold

  // In lexicographic order of the states that 11, 10, 01 and 00 become; 0 leaves all as they are. Throws
  // std::out_of_range for a number that no mapping has.
  explicit StateMapping(std::uint8_t number = 0);
  // `becomes` has each state once.
  explicit StateMapping(const ByCellState<CellState>& becomes);

  std::uint8_t number() const { return number_; }
  CellState operator()(CellState state) const { return becomes_[state]; }
  StateMapping inverse() const;
  bool operator==(const StateMapping& other) const { return number_ == other.number_; }

  StateCounts operator()(const StateCounts& states) const;
  // The pages of a wordline, from what is written to what is stored and back; both have one size.
  void apply(std::span<std::byte> lsb, std::span<std::byte> msb) const;
  void undo(std::span<std::byte> lsb, std::span<std::byte> msb) const { inverse().apply(lsb, msb); }
  // Whether what was written to that page depends on what the other one stores, too: with 16 of the mappings, and with
  // 20 on either page.
  bool mixes(PairedPage page) const;
  // One of the pages alone. `other` is the other one as it is stored; it may be empty unless the mapping mixes the
  // page.
  void undo(PairedPage page, std::span<std::byte> bytes, std::span<const std::byte> other) const;

 private:
  ByCellState<CellState> becomes_;
  std::uint8_t number_ = 0;
};

// The rule of Figure 7: the state that most cells have becomes 11, the next 10, 01, 00.
StateMapping mapping_by_share(const StateCounts& states);

// The mapping with the lowest cost; of several the one with the lowest number, so that nothing is mapped for nothing.
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

// The one with which both pages are programmed soonest, each with its own step.
StateMapping fastest_mapping(const WriteSpeedTable& table, const StateCounts& states);
// The same where one step programs the wordline.
StateMapping fastest_one_shot_mapping(const WriteSpeedTable& table, const StateCounts& states);
// The one with which segments of both pages are decoded soonest; `segments` as SegmentTable takes them.
StateMapping fastest_mapping(const SegmentTable& table, std::span<const StateCounts> segments);

}  // namespace nandscape::controller
