// SPDX-License-Identifier: Apache-2.0
#include "core/latency_histogram.h"

#include <algorithm>
#include <cmath>

#include "core/archive.h"

namespace nandscape {

Tick LatencyHistogram::quantile(double fraction) const {
  if (count_ == 0) return 0;
  const auto rank =
      std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ceil(fraction * static_cast<double>(count_))));
  std::uint64_t seen = 0;
  for (std::size_t bucket = 0; bucket < counts_.size(); ++bucket) {
    seen += counts_[bucket];
    if (seen >= rank) {
      const Tick middle = lower_edge(bucket) + (lower_edge(bucket + 1) - 1 - lower_edge(bucket)) / 2;
      return std::clamp(middle, minimum_, maximum_);
    }
  }
  return maximum_;
}

void LatencyHistogram::merge(const LatencyHistogram& other) {
  for (std::size_t bucket = 0; bucket < counts_.size(); ++bucket) counts_[bucket] += other.counts_[bucket];
  count_ += other.count_;
  sum_ += other.sum_;
  minimum_ = std::min(minimum_, other.minimum_);
  maximum_ = std::max(maximum_, other.maximum_);
}

LatencyHistogram LatencyHistogram::since(const LatencyHistogram& earlier) const {
  if (earlier.count_ == 0) return *this;
  LatencyHistogram added;
  for (std::size_t bucket = 0; bucket < counts_.size(); ++bucket) {
    added.counts_[bucket] = counts_[bucket] - earlier.counts_[bucket];
    if (added.counts_[bucket] == 0) continue;
    added.minimum_ = std::min(added.minimum_, std::max(lower_edge(bucket), minimum_));
    added.maximum_ = std::min(lower_edge(bucket + 1) - 1, maximum_);
  }
  added.count_ = count_ - earlier.count_;
  added.sum_ = sum_ - earlier.sum_;
  return added;
}

void LatencyHistogram::persist(Archive& archive) {
  archive.table(counts_, buckets, "buckets of a histogram");
  archive(sum_, minimum_, maximum_);
  if (!archive.loading()) return;
  count_ = 0;
  for (const std::uint64_t count : counts_) {
    archive.require(count < never - count_, "the number of samples of a histogram overflows");
    count_ += count;
  }
  const bool in_buckets =
      count_ == 0 ? minimum_ == never && maximum_ == 0
                  : minimum_ <= maximum_ && counts_[bucket_of(minimum_)] != 0 && counts_[bucket_of(maximum_)] != 0;
  archive.require(in_buckets, "the minimum or the maximum of a histogram is not in its buckets");
}

}  // namespace nandscape
