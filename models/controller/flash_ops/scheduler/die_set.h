// SPDX-License-Identifier: Apache-2.0
// A set of a channel's dies, for round-robin selection.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace nandscape::controller {

class DieSet {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  explicit DieSet(std::uint32_t dies) : words_((dies + 63) / 64) {}

  void set(std::uint32_t die, bool value) {
    const std::uint64_t bit = std::uint64_t{1} << (die % 64);
    if (value) {
      words_[die / 64] |= bit;
    } else {
      words_[die / 64] &= ~bit;
    }
  }

  // Returns the next die after `die`, cyclically, or `none` if the set is empty.
  std::uint32_t next(std::uint32_t die) const {
    const std::uint32_t words = static_cast<std::uint32_t>(words_.size());
    const std::uint32_t start = die + 1;
    std::uint32_t index = start / 64 < words ? start / 64 : 0;
    std::uint64_t word = words_[index];
    if (start / 64 < words) word &= ~std::uint64_t{0} << (start % 64);
    // The first word is visited twice: first from the start bit on, and last from its beginning.
    for (std::uint32_t k = 0; word == 0; ++k) {
      if (k == words) return none;
      if (++index == words) index = 0;
      word = words_[index];
    }
    return index * 64 + static_cast<std::uint32_t>(std::countr_zero(word));
  }

 private:
  std::vector<std::uint64_t> words_;  // one bit per die
};

}  // namespace nandscape::controller
