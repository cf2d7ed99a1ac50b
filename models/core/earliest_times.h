// SPDX-License-Identifier: Apache-2.0
// A heap with a fixed number of times. It gives the earliest time and replaces it. For units that serve jobs side by
// side, each time is the one from which a unit is free, and the next job goes to the unit that is free first.
#pragma once

#include <cstddef>
#include <vector>

#include "core/ticks.h"

namespace nandscape {

class EarliestTimes {
 public:
  // All times are 0 at first.
  explicit EarliestTimes(std::size_t count) : empty_(count == 0), later_(count == 0 ? 0 : count - 1, 0) {}

  bool empty() const { return empty_; }
  Tick first() const { return first_; }
  void replace_first(Tick by) {
    if (later_.empty() || by <= later_.front()) {
      first_ = by;
    } else {
      first_ = later_.front();
      sink(by);
    }
  }

 private:
  // Replaces the root of the heap, and lets the new time sink to its place.
  [[gnu::noinline]] void sink(Tick by) {
    std::size_t place = 0;
    for (std::size_t next = 1; next < later_.size(); next = 2 * place + 1) {
      if (next + 1 < later_.size() && later_[next + 1] < later_[next]) ++next;
      if (by <= later_[next]) break;
      later_[place] = later_[next];
      place = next;
    }
    later_[place] = by;
  }

  // The earliest time is not part of the heap, because most units are alone.
  Tick first_ = 0;
  bool empty_;
  std::vector<Tick> later_;
};

}  // namespace nandscape
