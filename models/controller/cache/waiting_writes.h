// SPDX-License-Identifier: Apache-2.0
// Writes that wait for room, first in first out. Whether one of them is to a given unit is asked for each write that
// comes, so units are counted by a hash of their number: hardly ever does the queue have to be searched.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "controller/cache/access_queue.h"
#include "core/random.h"

namespace nandscape::controller {

class WaitingWrites {
 public:
  bool empty() const { return queue_.empty(); }
  const PageAccess& front() const { return queue_.front(); }

  void push(PageAccess& write) {
    ++counts_[bucket(write.lpn)];
    queue_.push(write);
  }
  PageAccess& pop() {
    PageAccess& write = queue_.pop();
    --counts_[bucket(write.lpn)];
    return write;
  }

  bool holds(Lpn lpn) const {
    if (empty() || counts_[bucket(lpn)] == 0) return false;
    return queue_.any([lpn](const PageAccess& write) { return write.lpn == lpn; });
  }
  bool holds_part_of(const PageAccess& range) const {
    return queue_.any([&](const PageAccess& write) { return overlap(range, write); });
  }

 private:
  static constexpr std::size_t buckets = 1024;

  static std::size_t bucket(Lpn lpn) { return mix64(lpn.value) % buckets; }

  AccessQueue queue_;
  std::array<std::uint32_t, buckets> counts_{};
};

}  // namespace nandscape::controller
