// SPDX-License-Identifier: Apache-2.0
// A FIFO queue of writes that wait for room. It counts its writes by unit, since each new write checks whether an
// earlier one to its unit waits.
#pragma once

#include <cstdint>

#include "core/key_counts.h"
#include "protocol/access_queue.h"

namespace nandscape::controller {

class WaitingWrites {
 public:
  bool empty() const { return queue_.empty(); }
  const PageAccess& front() const { return queue_.front(); }

  void push(PageAccess& write) {
    units_.add(write.lpn.value);
    queue_.push(write);
    ++size_;
  }
  PageAccess& pop() {
    PageAccess& write = queue_.pop();
    units_.remove(write.lpn.value);
    --size_;
    return write;
  }

  bool holds(Lpn lpn) const { return !empty() && units_.contains(lpn.value); }
  // Checks the pages of the range or the waiting writes, whichever are fewer.
  bool holds_part_of(const PageAccess& range) const {
    const std::uint64_t pages = pages_of(range);
    if (pages >= size_) return queue_.any([&](const PageAccess& write) { return overlap(range, write); });
    for (std::uint64_t k = 0; k < pages; ++k) {
      if (units_.contains(range.lpn.value + k)) return true;
    }
    return false;
  }

 private:
  AccessQueue queue_;
  KeyCounts units_;
  std::uint64_t size_ = 0;
};

}  // namespace nandscape::controller
