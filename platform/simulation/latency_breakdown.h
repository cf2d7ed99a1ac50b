// SPDX-License-Identifier: Apache-2.0
// What the latencies of many requests are made of: of all of them, and of the slowest.
//
// The slowest 1 % are known only when all are. Parts are therefore summed up by latency, in the buckets of a histogram:
// the figures of the slowest are right to the width of one bucket, which is at most 1/128 of its latency.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/archive.h"
#include "core/latency_histogram.h"
#include "core/statistics.h"
#include "protocol/time_sheet.h"

namespace nandscape {

// Means, in ticks.
using MeanParts = std::array<double, latency_parts>;

class LatencyBreakdown {
 public:
  // It is told of from now on, as long as there are none with zeroes.
  void keep() { kept_ = true; }
  bool kept() const { return kept_; }
  void record(const LatencyParts& parts, Tick latency);

  // Over all requests; all 0 while there are none.
  MeanParts mean() const;
  // Over the slowest hundredth of them; all NaN where these are fewer than `fewest_samples`.
  MeanParts mean_of_slowest() const;
  // What was recorded since `earlier`, which is this breakdown at an earlier time.
  LatencyBreakdown since(const LatencyBreakdown& earlier) const;
  void persist(Archive& archive);

 private:
  struct Sums {
    double count = 0;
    MeanParts parts{};
  };

  // Over the slowest so many requests.
  MeanParts mean_of(double requests) const;
  double count() const;

  bool kept_ = false;
  std::vector<Sums> sums_;  // by bucket; empty while there are no requests
};

// A group of statistics: {part: mean in microseconds}.
struct PartsInMicroseconds {
  MeanParts parts;
};
void describe(const PartsInMicroseconds& group, StatisticsVisitor& visitor);

}  // namespace nandscape
