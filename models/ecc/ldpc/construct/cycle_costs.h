// SPDX-License-Identifier: Apache-2.0
// Counts the short cycles that a choice of shifts for one column would close, given the shifts of all other columns.
#pragma once

#include <cstdint>
#include <vector>

#include "core/random.h"

namespace nandscape::ecc::ldpc {

class CycleCosts {
 public:
  struct Entry {
    std::uint32_t row;
    std::uint32_t shift;
  };
  using Column = std::vector<Entry>;

  CycleCosts(std::uint32_t rows, std::uint32_t lifting);

  void add(std::uint32_t number, const Column& column) { change(number, column, 1); }
  void remove(std::uint32_t number, const Column& column) { change(number, column, -1); }

  // Searches for shifts of `column` that close fewer cycles. Takes the best of many local optima, or leaves the shifts
  // unchanged if none is better. The first shift stays 0.
  void choose_shifts(Column& column, RandomStream& random) const;

 private:
  // A column with blocks in two rows, a and b, as a step of a path from a to b. `difference` is the shift in row a
  // minus the shift in row b.
  struct Step {
    std::uint32_t column;
    std::uint32_t difference;
  };

  void change(std::uint32_t number, const Column& column, std::int64_t sign);
  std::int64_t cost(const Column& column) const;
  std::int64_t cost(const Column& column, std::size_t of_entry) const;
  std::size_t pair(std::uint32_t a, std::uint32_t b) const { return a * rows_ + b; }

  std::uint32_t rows_;
  std::uint32_t lifting_;
  std::vector<std::vector<Step>> steps_;              // by pair of rows
  std::vector<std::vector<std::int64_t>> two_apart_;  // numbers of paths of two steps, by pair of rows and by shift
  std::vector<std::vector<std::int64_t>> one_apart_;  // numbers of paths of one step, which would close 4-cycles
};

}  // namespace nandscape::ecc::ldpc
