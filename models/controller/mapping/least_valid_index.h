// SPDX-License-Identifier: Apache-2.0
// Finds the block of a plane with the fewest valid pages without visiting every block. Blocks form groups, and groups
// form outer groups. Each group has a lower bound on the number of valid pages in any of its blocks. When a page
// becomes invalid, the bound is lowered at once. It is raised only when a search finds that it is too low. An
// invalidation therefore costs one comparison, and a search visits only groups that could contain the result, however
// large the plane is.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace nandscape::controller {

class LeastValidIndex {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  struct Block {
    std::uint32_t listed = none;    // valid pages if the block is or may become a candidate, else none
    std::uint32_t eligible = none;  // valid pages if the block may be chosen now, else none
  };

  LeastValidIndex() = default;
  explicit LeastValidIndex(std::uint32_t blocks)
      : blocks_(blocks), groups_(groups_of(blocks), none), outer_(groups_of(groups_of(blocks)), none) {}

  // Called when the block's number of valid pages has become `valid`. Lowers the bounds of its groups that are higher.
  void lower(std::uint32_t block, std::uint32_t valid) {
    if (valid < groups_[block / group]) [[unlikely]]
      lower_bounds(block, valid);
  }

  // Returns the eligible block with the fewest valid pages, or none if no block is eligible. On a tie, returns the
  // block with the lowest number. look(block) must return the current Block of the given number.
  template <class Look>
  std::uint32_t find(Look look) {
    std::uint32_t found = none;
    while (found == none) {
      const std::uint32_t index = first_least();
      if (index == none) break;
      const std::uint32_t bound = groups_[index];
      std::uint32_t listed = none;
      std::uint32_t eligible = none;
      std::uint32_t first = none;
      for (std::uint32_t block = index * group; block < std::min(blocks_, (index + 1) * group); ++block) {
        const Block now = look(block);
        ++looked_at_;
        listed = std::min(listed, now.listed);
        if (now.eligible >= eligible) continue;
        eligible = now.eligible;
        first = block;
      }
      if (eligible == bound) {
        found = first;
      } else {
        // The bound is raised so that the search continues elsewhere. If a block of the group is listed but not
        // eligible now and has fewer valid pages, the lower bound is restored after the search.
        if (listed != eligible) passed_over_.emplace_back(index, listed);
        raise_bound(index, eligible);
      }
    }
    for (const auto& [index, listed] : std::exchange(passed_over_, {})) lower_bounds(index * group, listed);
    return found;
  }

  // The number of blocks visited in all searches so far. Tests use it to bound the cost of a search.
  std::uint64_t looked_at() const { return looked_at_; }

 private:
  static constexpr std::uint32_t group = 64;

  static std::uint32_t groups_of(std::uint32_t members) { return (members + group - 1) / group; }

  // Kept out of line so that lower() stays small where it is inlined.
  [[gnu::noinline]] void lower_bounds(std::uint32_t block, std::uint32_t valid) {
    std::uint32_t& bound = groups_[block / group];
    bound = std::min(bound, valid);
    std::uint32_t& of_outer = outer_[block / group / group];
    of_outer = std::min(of_outer, valid);
  }
  void raise_bound(std::uint32_t index, std::uint32_t valid) {
    groups_[index] = valid;
    const auto begin = groups_.begin() + index / group * group;
    const auto end = groups_.begin() + std::min<std::size_t>(groups_.size(), (index / group + 1) * group);
    outer_[index / group] = *std::min_element(begin, end);
  }
  // Returns the first group with the lowest bound, or none if no group has a bound.
  std::uint32_t first_least() const {
    const auto outer = std::min_element(outer_.begin(), outer_.end());
    if (outer == outer_.end() || *outer == none) return none;
    const auto first = groups_.begin() + (outer - outer_.begin()) * group;
    return static_cast<std::uint32_t>(std::find(first, groups_.end(), *outer) - groups_.begin());
  }

  std::uint32_t blocks_ = 0;
  std::vector<std::uint32_t> groups_;  // bound of each group
  std::vector<std::uint32_t> outer_;   // bound of each outer group
  std::vector<std::pair<std::uint32_t, std::uint32_t>> passed_over_;
  std::uint64_t looked_at_ = 0;
};

}  // namespace nandscape::controller
