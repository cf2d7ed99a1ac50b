// SPDX-License-Identifier: Apache-2.0
// A run divided into rounds of equal simulated time, ten to twenty of them whatever its length: when there are twenty,
// each two become one, and later ones are twice as long.
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
  // No more rounds end.
  void stop() { next_ = never; }

  // When the round that is under way ends: add() is called with the first moment at which anything happens after that.
  Tick next() const { return next_; }
  void add(Moment at);

  // Where rounds begin and end, the first at the start: one more than there are rounds.
  const std::vector<Moment>& boundaries() const { return boundaries_; }

 private:
  static constexpr std::size_t most_rounds = 20;
  static constexpr Tick first_length = 50 * microsecond;

  Tick length_ = first_length;
  Tick next_ = never;
  std::vector<Moment> boundaries_;
};

}  // namespace nandscape
