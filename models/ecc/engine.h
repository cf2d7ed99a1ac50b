// SPDX-License-Identifier: Apache-2.0
// The encoder and the decoder of one channel, each a pipeline: a job enters when the one before it is in, and leaves
// a latency after its last byte has entered.
#pragma once

#include <cstdint>

#include "core/statistics.h"
#include "core/ticks.h"
#include "ecc/parameters.h"
#include "protocol/ecc_job.h"

namespace nandscape {

struct EccCounters {
  std::uint64_t decoded_pages = 0;
  std::uint64_t encoded_pages = 0;
  std::uint64_t corrected_bits = 0;
  std::uint64_t uncorrectable = 0;

  EccCounters& operator+=(const EccCounters& other);
};
void describe(const EccCounters& counters, StatisticsVisitor& visitor);

class EccEngine {
 public:
  explicit EccEngine(const EccParameters& parameters);

  // Takes a job whose bytes are all there and returns when it is done. Jobs are accepted in the order of `now`.
  Tick accept(EccJob& job, Tick now);

  const EccCounters& counters() const { return counters_; }

 private:
  struct Pipeline {
    Tick latency;
    double ticks_per_byte;
    Tick free = 0;  // when the next job can enter
  };

  std::uint32_t correctable_bits_;
  Pipeline decoder_;
  Pipeline encoder_;
  EccCounters counters_;
};

}  // namespace nandscape
