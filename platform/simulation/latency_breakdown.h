// SPDX-License-Identifier: Apache-2.0
// Mean latencies by part, over all requests and over the slowest 1 %.
//
// The slowest 1 % are known only at the end. Parts are therefore summed by latency, in the buckets of a histogram. The
// values of the slowest 1 % are exact to the width of one bucket, which is at most 1/128 of the latency.
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
  // Enables the breakdown in statistics, which shows zeroes before the first request.
  void keep() { kept_ = true; }
  bool kept() const { return kept_; }
  void record(const LatencyParts& parts, Tick latency);

  // Means over all requests; all 0 if there are none.
  MeanParts mean() const;
  // Means over the slowest 1 % of the requests; all NaN if these are fewer than `fewest_samples`.
  MeanParts mean_of_slowest() const;
  // The breakdown of requests since `earlier`, an earlier copy of this object.
  LatencyBreakdown since(const LatencyBreakdown& earlier) const;
  void persist(Archive& archive);

 private:
  struct Sums {
    double count = 0;
    MeanParts parts{};
  };

  // Means over the slowest `requests`.
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
