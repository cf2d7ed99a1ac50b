// SPDX-License-Identifier: Apache-2.0
// Divides a run of any length into ten to twenty rounds of equal simulated time. When there are twenty rounds, pairs of
// rounds are merged, and all later rounds are twice as long.
#pragma once

#include <vector>

#include "core/ticks.h"
#include "platform/simulation/measured_window.h"

namespace nandscape {

class Rounds {
 public:
  void start(Moment at) {
    boundaries_.clear();
    length_ = first_length;
    next_ = at.at + length_;
    boundaries_.push_back(std::move(at));
  }
  // Stops the division: from now on, no round ends.
  void stop() { next_ = never; }

  // Returns the time at which the current round ends. The caller must call add() at the first completion of a request
  // at or after this time.
  Tick next() const { return next_; }
  void add(Moment at);

  // The beginning of the first round, followed by the end of each round.
  const std::vector<Moment>& boundaries() const { return boundaries_; }

 private:
  static constexpr std::size_t most_rounds = 20;
  static constexpr Tick first_length = 50 * microsecond;

  Tick length_ = first_length;
  Tick next_ = never;
  std::vector<Moment> boundaries_;
};

}  // namespace nandscape
