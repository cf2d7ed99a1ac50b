// SPDX-License-Identifier: Apache-2.0
// The timing of one direction of an engine: a FIFO of jobs in front of a unit that serves them one after the other. A
// job occupies the unit for a while; its result leaves after a further latency, during which the unit can serve the
// next job.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/ticks.h"

namespace nandscape::ecc {

class Pipeline {
 public:
  // The FIFO holds up to `fifo_jobs`, including the job in the unit; 0: unlimited.
  explicit Pipeline(std::uint32_t fifo_jobs) : left_(fifo_jobs, 0) {}

  // Time at which the FIFO has room for the next job; may be in the past.
  [[nodiscard]] Tick room() const { return left_.empty() ? 0 : left_[next_]; }

  // Time at which the unit is free for the next job; may be in the past.
  Tick free() const { return free_; }

  // The next job occupies the unit and its place in the FIFO until `end`.
  void occupy(Tick end) {
    free_ = end;
    if (left_.empty()) return;
    left_[next_] = end;
    next_ = next_ + 1 == left_.size() ? 0 : next_ + 1;
  }

 private:
  std::vector<Tick> left_;  // when the latest jobs leave the FIFO, the oldest at next_
  std::size_t next_ = 0;
  Tick free_ = 0;
};

}  // namespace nandscape::ecc
