// SPDX-License-Identifier: Apache-2.0
#include "controller/mapping_memory/line_cache.h"

#include <algorithm>

namespace nandscape::controller {

LineCache::LineCache(std::uint64_t lines)
    : ways_(std::min(lines, most_ways)), sets_(lines / ways_), lines_(lines / ways_ * ways_) {}

LineCache::Line* LineCache::find(std::uint64_t number) {
  Line* const set = set_of(number);
  Line* const found = std::find_if(set, set + ways_, [number](const Line& line) { return line.number == number; });
  if (found == set + ways_) return nullptr;
  std::rotate(set, found, found + 1);
  return set;
}

LineCache::Line LineCache::insert(const Line& line) {
  Line* const set = set_of(line.number);
  const Line victim = set[ways_ - 1];
  std::move_backward(set, set + ways_ - 1, set + ways_);
  *set = line;
  return victim;
}

void LineCache::remove(std::uint64_t first, std::uint64_t count) {
  for (std::uint64_t number = first; number < first + count; ++number) {
    Line* const set = set_of(number);
    Line* const end = std::remove_if(set, set + ways_, [number](const Line& line) { return line.number == number; });
    std::fill(end, set + ways_, Line{});
  }
}

void LineCache::clear() { std::ranges::fill(lines_, Line{}); }

void LineCache::persist(Archive& archive, std::uint64_t lines) {
  archive.table(lines_, lines_.size(), "lines in SRAM", [&](Line& line) {
    std::uint64_t place = line.number == none ? 0 : line.number + 1;
    archive.number(place, lines, "a line in SRAM");
    line.number = place == 0 ? none : place - 1;
    archive.require(line.number == none || (set_of(line.number) <= &line && &line < set_of(line.number) + ways_),
                    "a line in SRAM is in another set");
    archive(line.changed);
  });
}

}  // namespace nandscape::controller
