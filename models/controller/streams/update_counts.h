// SPDX-License-Identifier: Apache-2.0
// Counts the recent writes of each mapping unit [Hsieh, Kuo, Chang, ACM Transactions on Storage 2006, with a counter
// for each unit instead of a hash table of counters].
//
// A write of a unit increments its counter, up to `most`. A hand goes round the counters, one step with each write of
// the host, and halves the counter at which it arrives. In one round, the host writes as many units as the drive
// exports. If the host writes a unit r times in each round, its counter therefore lies between r - 1, just after it has
// been halved and rounded down, and 2r - 1. The drive keeps four bits of memory for each unit.
#pragma once

#include <algorithm>
#include <cstdint>

#include "controller/mapping/packed_numbers.h"
#include "core/archive.h"
#include "core/ids.h"

namespace nandscape::controller {

class UpdateCounts {
 public:
  static constexpr std::uint32_t most = 15;

  explicit UpdateCounts(std::uint64_t units) : units_(units), counts_(units, most) {}

  // Counts a write of the unit. Returns the new value of its counter.
  std::uint32_t write(Lpn lpn) {
    const std::uint32_t count = std::min(of(lpn) + 1, most);
    counts_.set(lpn.value, count);
    if (const std::uint32_t halved = of(hand_); halved != 0) counts_.set(hand_.value, halved / 2);
    hand_ = Lpn(hand_.value + 1 == units_ ? 0 : hand_.value + 1);
    return count;
  }
  std::uint32_t of(Lpn lpn) const { return static_cast<std::uint32_t>(counts_[lpn.value]); }

  void persist(Archive& archive);

 private:
  std::uint64_t units_;
  PackedNumbers counts_;
  Lpn hand_{0};
};

}  // namespace nandscape::controller
