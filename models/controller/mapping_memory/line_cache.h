// SPDX-License-Identifier: Apache-2.0
// The controller's SRAM as a cache of lines of the mapping: set-associative, with the least recently used line of a set
// as the victim. Neighbouring lines lie in different sets, so a range of lines that fits is held as a whole.
#pragma once

#include <cstdint>
#include <vector>

#include "core/archive.h"
#include "core/divisor.h"

namespace nandscape::controller {

class LineCache {
 public:
  struct Line {
    std::uint64_t number = none;
    bool changed = false;  // differs from its copy in the host memory buffer
  };
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  // Constructs a cache for at least one line. The number of lines is rounded down to whole sets.
  explicit LineCache(std::uint64_t lines);

  // Makes the line the most recently used one. Returns it, or null if the cache does not hold it.
  Line* find(std::uint64_t number);
  // Adds a line that the cache does not hold. Returns the line that has made room for it, whose number may be `none`.
  Line insert(const Line& line);
  // Removes the lines [first, first + count), changed or not.
  void remove(std::uint64_t first, std::uint64_t count);
  template <class Predicate>
  void remove_if(Predicate unwanted) {
    for (Line& line : lines_) {
      if (line.number != none && unwanted(line.number)) line = {};
    }
  }
  void clear();

  // Saves or restores the lines, whose numbers are below `lines`.
  void persist(Archive& archive, std::uint64_t lines);

 private:
  static constexpr std::uint64_t most_ways = 8;  // an order of magnitude of caches

  Line* set_of(std::uint64_t number) { return lines_.data() + sets_.remainder(number) * ways_; }

  std::uint64_t ways_;
  Divisor sets_;
  std::vector<Line> lines_;  // set by set, the most recently used line of each set first
};

}  // namespace nandscape::controller
