// SPDX-License-Identifier: Apache-2.0
// The timing of the encoders or the decoders of an ECC engine: a FIFO of jobs in front of one unit or several units.
// Each unit serves one job after another, and a job goes to the unit that is free first. A job occupies its unit for
// some time. Its result leaves after an additional latency, during which the unit can already serve the next job.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/earliest_times.h"
#include "core/ticks.h"

namespace nandscape::ecc {

class Pipeline {
 public:
  // The FIFO holds at most `fifo_jobs` jobs for each unit, including the jobs in the units. 0 means that the FIFO is
  // unlimited.
  explicit Pipeline(std::uint32_t fifo_jobs, std::uint32_t units = 1)
      : left_(std::size_t{fifo_jobs} * units), free_(units) {}

  // Returns the time at which the FIFO has room for the next job. The time may be in the past.
  [[nodiscard]] Tick room() const { return left_.empty() ? 0 : left_.first(); }

  // Returns the time at which a unit is free for the next job. The time may be in the past.
  Tick free() const { return free_.first(); }

  // Records that the next job, which may start at `now`, occupies a unit for `duration` as soon as the unit is free.
  // Returns the time at which the job starts.
  Tick serve(Tick now, Tick duration) {
    const Tick start = std::max(now, free());
    occupy(start + duration);
    return start;
  }

  // Records that the next job occupies this unit and its slot of the FIFO until `end`.
  void occupy(Tick end) {
    free_.replace_first(end);
    if (!left_.empty()) left_.replace_first(end);
  }

 private:
  EarliestTimes left_;  // times at which the jobs in the FIFO leave it
  EarliestTimes free_;  // for each unit, the time from which it is free
};

}  // namespace nandscape::ecc
