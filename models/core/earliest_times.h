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
  explicit EarliestTimes(std::size_t count) : times_(count, 0) {}

  bool empty() const { return times_.empty(); }
  Tick first() const { return times_.front(); }
  // Lets the new time sink to its place in the heap. A single time is replaced at once.
  void replace_first(Tick by) {
    std::size_t place = 0;
    for (std::size_t next = 1; next < times_.size(); next = 2 * place + 1) {
      if (next + 1 < times_.size() && times_[next + 1] < times_[next]) ++next;
      if (by <= times_[next]) break;
      times_[place] = times_[next];
      place = next;
    }
    times_[place] = by;
  }

 private:
  std::vector<Tick> times_;
};

}  // namespace nandscape
