// SPDX-License-Identifier: Apache-2.0
// The acknowledged data that a power cut takes away: the sectors whose latest acknowledged write is not on flash.
#pragma once

#include <cstdint>
#include <set>
#include <utility>

#include "core/ids.h"

namespace nandscape::controller {

class LostWrites {
 public:
  void add(Lpn unit, std::uint32_t first_sector, std::uint32_t sector_count) {
    for (std::uint32_t k = 0; k < sector_count; ++k) sectors_.insert({unit, first_sector + k});
  }
  void add(const LostWrites& others) { sectors_.insert(others.sectors_.begin(), others.sectors_.end()); }
  std::uint64_t sectors() const { return sectors_.size(); }
  std::uint64_t units() const {
    std::uint64_t count = 0;
    Lpn last;
    for (const auto& [unit, sector] : sectors_) {
      count += count == 0 || unit != last;
      last = unit;
    }
    return count;
  }

 private:
  std::set<std::pair<Lpn, std::uint32_t>> sectors_;
};

}  // namespace nandscape::controller
