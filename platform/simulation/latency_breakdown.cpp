// SPDX-License-Identifier: Apache-2.0
#include "platform/simulation/latency_breakdown.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace nandscape {

void LatencyBreakdown::record(const LatencyParts& parts, Tick latency) {
  if (sums_.empty()) sums_.resize(LatencyHistogram::buckets);
  Sums& sums = sums_[LatencyHistogram::bucket_of(latency)];
  ++sums.count;
  for (std::size_t k = 0; k < latency_parts; ++k) sums.parts[k] += static_cast<double>(parts[k]);
}

double LatencyBreakdown::count() const {
  double count = 0;
  for (const Sums& sums : sums_) count += sums.count;
  return count;
}

MeanParts LatencyBreakdown::mean() const { return mean_of(count()); }

MeanParts LatencyBreakdown::mean_of_slowest() const {
  const double slowest = std::floor(count() / 100);
  if (slowest < static_cast<double>(fewest_samples)) {
    MeanParts not_known;
    not_known.fill(std::numeric_limits<double>::quiet_NaN());
    return not_known;
  }
  return mean_of(slowest);
}

// Adds up buckets from the slowest downwards. The last bucket may hold more requests than are still missing. Each of
// the missing requests then counts with the mean of this bucket.
MeanParts LatencyBreakdown::mean_of(double requests) const {
  MeanParts mean{};
  double missing = requests;
  for (std::size_t bucket = sums_.size(); bucket-- > 0 && missing > 0;) {
    const Sums& sums = sums_[bucket];
    if (sums.count == 0) continue;
    const double taken = std::min(missing, sums.count);
    for (std::size_t k = 0; k < latency_parts; ++k) mean[k] += sums.parts[k] * (taken / sums.count);
    missing -= taken;
  }
  for (double& part : mean) part = requests == 0 ? 0 : part / requests;
  return mean;
}

void LatencyBreakdown::merge(const LatencyBreakdown& other) {
  kept_ |= other.kept_;
  if (sums_.size() < other.sums_.size()) sums_.resize(other.sums_.size());
  for (std::size_t bucket = 0; bucket < other.sums_.size(); ++bucket) {
    sums_[bucket].count += other.sums_[bucket].count;
    for (std::size_t k = 0; k < latency_parts; ++k) sums_[bucket].parts[k] += other.sums_[bucket].parts[k];
  }
}

LatencyBreakdown LatencyBreakdown::since(const LatencyBreakdown& earlier) const {
  LatencyBreakdown added = *this;
  for (std::size_t bucket = 0; bucket < earlier.sums_.size(); ++bucket) {
    Sums& sums = added.sums_[bucket];
    const Sums& before = earlier.sums_[bucket];
    sums.count -= before.count;
    for (std::size_t k = 0; k < latency_parts; ++k) sums.parts[k] -= before.parts[k];
  }
  return added;
}

void LatencyBreakdown::persist(Archive& archive) {
  constexpr double largest = 1e300;
  archive.list(sums_, LatencyHistogram::buckets, "buckets of a breakdown of latencies", [&](Sums& sums) {
    archive.real(sums.count, 0, largest, "the number of requests in a bucket");
    for (double& part : sums.parts) archive.real(part, 0, largest, "a part of latencies");
  });
  archive.require(sums_.empty() || sums_.size() == LatencyHistogram::buckets,
                  "a breakdown of latencies has buckets for some latencies only");
}

void describe(const PartsInMicroseconds& group, StatisticsVisitor& v) {
  for (std::size_t k = 0; k < latency_parts; ++k) {
    v.level(latency_part_names[k].name, group.parts[k] * 1e-6, "us", latency_part_names[k].meaning);
  }
}

}  // namespace nandscape
