// SPDX-License-Identifier: Apache-2.0
// The timing of the encoder or the decoder of an ECC engine: a FIFO of jobs in front of a unit that serves the jobs one
// after the other. A job occupies the unit for some time. Its result leaves after an additional latency, during which
// the unit can already serve the next job.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/ticks.h"

namespace nandscape::ecc {

class Pipeline {
 public:
  // The FIFO holds at most `fifo_jobs` jobs, including the job in the unit. 0 means that the FIFO is unlimited.
  explicit Pipeline(std::uint32_t fifo_jobs) : left_(fifo_jobs, 0) {}

  // Returns the time at which the FIFO has room for the next job. The time may be in the past.
  [[nodiscard]] Tick room() const { return left_.empty() ? 0 : left_[next_]; }

  // Returns the time at which the unit is free for the next job. The time may be in the past.
  Tick free() const { return free_; }

  // Records that the next job occupies the unit and its slot of the FIFO until `end`.
  void occupy(Tick end) {
    free_ = end;
    if (left_.empty()) return;
    left_[next_] = end;
    next_ = next_ + 1 == left_.size() ? 0 : next_ + 1;
  }

 private:
  std::vector<Tick> left_;  // times at which the latest jobs leave the FIFO; the oldest is at next_
  std::size_t next_ = 0;
  Tick free_ = 0;
};

}  // namespace nandscape::ecc
