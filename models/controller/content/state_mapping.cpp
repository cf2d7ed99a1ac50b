// SPDX-License-Identifier: Apache-2.0
#include "controller/content/state_mapping.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

namespace nandscape::controller {

namespace {

using Permutation = ByCellState<CellState>;
using enum CellState;

std::array<Permutation, StateMapping::mappings> in_lexicographic_order() {
  std::array<Permutation, StateMapping::mappings> all;
  Permutation next{{s11, s10, s01, s00}};
  for (Permutation& permutation : all) {
    permutation = next;
    std::ranges::next_permutation(next.of);
  }
  return all;
}

const std::array<Permutation, StateMapping::mappings>& permutations() {
  static const auto all = in_lexicographic_order();
  return all;
}

// Return the left and the right digit of a state. In the order of voltage, the states are 11, 10, 01 and 00.
bool left_digit(CellState state) { return state == s11 || state == s10; }
bool right_digit(CellState state) { return state == s11 || state == s01; }

// Computes one digit of the mapped state as constant ^ (left & of_left) ^ (right & of_right), for 64 cells at a time.
// Each of the three members is all ones or all zeroes.
struct AffineDigit {
  std::uint64_t constant;
  std::uint64_t of_left;
  std::uint64_t of_right;

  AffineDigit(const Permutation& becomes, bool (*digit)(CellState)) {
    const auto all_if = [](bool set) { return set ? ~std::uint64_t{0} : 0; };
    const bool at_00 = digit(becomes[s00]);
    constant = all_if(at_00);
    of_left = all_if(digit(becomes[s10]) != at_00);
    of_right = all_if(digit(becomes[s01]) != at_00);
  }

  std::uint64_t operator()(std::uint64_t left, std::uint64_t right) const {
    return constant ^ (left & of_left) ^ (right & of_right);
  }
};

// Calls map(at, size) for each whole 64-bit word in `bytes` bytes, and then for the remaining bytes, if any. The loop
// passes a constant size, so that the compiler inlines the copies of whole words.
template <class Map>
void for_each_word(std::size_t bytes, Map map) {
  std::size_t at = 0;
  for (; at + sizeof(std::uint64_t) <= bytes; at += sizeof(std::uint64_t)) map(at, sizeof(std::uint64_t));
  if (at < bytes) map(at, bytes - at);
}

}  // namespace

StateMapping::StateMapping(std::uint8_t number) : becomes_(permutations().at(number)), number_(number) {}

StateMapping::StateMapping(const ByCellState<CellState>& becomes) : becomes_(becomes) {
  const auto found = std::ranges::find(permutations(), becomes);
  if (found == permutations().end()) throw std::invalid_argument("a state mapping must contain each state once");
  number_ = static_cast<std::uint8_t>(found - permutations().begin());
}

StateMapping StateMapping::inverse() const {
  Permutation back;
  for (const CellState state : {s11, s10, s01, s00}) back[becomes_[state]] = state;
  return StateMapping(back);
}

StateCounts StateMapping::operator()(const StateCounts& states) const {
  StateCounts mapped;
  for (const CellState state : {s11, s10, s01, s00}) mapped[becomes_[state]] = states[state];
  return mapped;
}

void StateMapping::apply(std::span<std::byte> lsb, std::span<std::byte> msb) const {
  if (lsb.size() != msb.size()) throw std::invalid_argument("the pages of a wordline have one size");
  const AffineDigit to_left(becomes_, left_digit), to_right(becomes_, right_digit);
  for_each_word(lsb.size(), [&](std::size_t at, std::size_t bytes) {
    std::uint64_t left = 0, right = 0;
    std::memcpy(&left, msb.data() + at, bytes);
    std::memcpy(&right, lsb.data() + at, bytes);
    const std::uint64_t new_left = to_left(left, right), new_right = to_right(left, right);
    std::memcpy(msb.data() + at, &new_left, bytes);
    std::memcpy(lsb.data() + at, &new_right, bytes);
  });
}

bool StateMapping::mixes(PairedPage page) const {
  const Permutation back = inverse().becomes_;
  if (page == PairedPage::msb) return AffineDigit(back, left_digit).of_right != 0;
  return AffineDigit(back, right_digit).of_left != 0;
}

void StateMapping::undo(PairedPage page, std::span<std::byte> bytes, std::span<const std::byte> other) const {
  if (mixes(page) && other.size() != bytes.size()) {
    throw std::invalid_argument("the pages of a wordline have one size");
  }
  const Permutation back = inverse().becomes_;
  const bool left = page == PairedPage::msb;
  const AffineDigit digit(back, left ? left_digit : right_digit);
  for_each_word(bytes.size(), [&](std::size_t at, std::size_t size) {
    std::uint64_t own = 0, paired = 0;
    std::memcpy(&own, bytes.data() + at, size);
    if (!other.empty()) std::memcpy(&paired, other.data() + at, size);
    own = left ? digit(own, paired) : digit(paired, own);
    std::memcpy(bytes.data() + at, &own, size);
  });
}

StateMapping mapping_by_share(const StateCounts& states) {
  std::array by_share{s11, s10, s01, s00};
  std::ranges::stable_sort(by_share, std::ranges::greater{}, [&](CellState state) { return states[state]; });
  Permutation becomes;
  for (std::size_t rank = 0; rank < by_share.size(); ++rank) becomes[by_share[rank]] = static_cast<CellState>(rank);
  return StateMapping(becomes);
}

}  // namespace nandscape::controller
