// SPDX-License-Identifier: Apache-2.0
// Computes the mean of each part of the latencies, over all requests and over the slowest 1 % of them.
//
// The slowest 1 % are known only at the end of the run. The parts are therefore added up in the buckets of a histogram
// over the latency. The means of the slowest 1 % are exact to the width of one bucket, which is at most 1/128 of the
// latency.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/archive.h"
#include "core/latency_histogram.h"
#include "core/statistics.h"
#include "protocol/time_sheet.h"

namespace nandscape {

// The mean of each part, in ticks.
using MeanParts = std::array<double, latency_parts>;

class LatencyBreakdown {
 public:
  // Enables the breakdown in the statistics. Before the first request, they show zeroes.
  void keep() { kept_ = true; }
  bool kept() const { return kept_; }
  void record(const LatencyParts& parts, Tick latency);

  // Returns the means over all requests, or zeroes if there are none.
  MeanParts mean() const;
  // Returns the means over the slowest 1 % of the requests. If these are fewer than `fewest_samples`, all means are
  // NaN.
  MeanParts mean_of_slowest() const;
  // Adds the requests of `other`.
  void merge(const LatencyBreakdown& other);
  // Returns the breakdown of the requests that were recorded after `earlier`, which is an earlier copy of this object.
  LatencyBreakdown since(const LatencyBreakdown& earlier) const;
  void persist(Archive& archive);

 private:
  struct Sums {
    double count = 0;
    MeanParts parts{};
  };

  // Returns the means over the `requests` slowest requests.
  MeanParts mean_of(double requests) const;
  double count() const;

  bool kept_ = false;
  std::vector<Sums> sums_;  // sums of each bucket; empty until the first request is recorded
};

// A group of statistics with the mean of each part in microseconds.
struct PartsInMicroseconds {
  MeanParts parts;
};
void describe(const PartsInMicroseconds& group, StatisticsVisitor& visitor);

}  // namespace nandscape
