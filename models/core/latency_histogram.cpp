// SPDX-License-Identifier: Apache-2.0
#include "core/latency_histogram.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "core/archive.h"

namespace nandscape {

void LatencyHistogram::cover(std::size_t first, std::size_t last) {
  constexpr std::size_t octave = std::size_t{1} << sub_bits;
  if (!counts_.empty()) {
    first = std::min(first, first_);
    last = std::max(last, first_ + counts_.size() - 1);
  }
  first -= first % octave;
  std::vector<std::uint64_t> counts((last / octave + 1) * octave - first);
  std::copy(counts_.begin(), counts_.end(), counts.begin() + static_cast<std::ptrdiff_t>(first_ - first));
  counts_ = std::move(counts);
  first_ = first;
}

Tick LatencyHistogram::quantile(double fraction) const {
  if (count_ == 0) return 0;
  const auto rank =
      std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ceil(fraction * static_cast<double>(count_))));
  std::uint64_t seen = 0;
  for (std::size_t k = 0; k < counts_.size(); ++k) {
    seen += counts_[k];
    if (seen >= rank) {
      const std::size_t bucket = first_ + k;
      const Tick middle = lower_edge(bucket) + (lower_edge(bucket + 1) - 1 - lower_edge(bucket)) / 2;
      return std::clamp(middle, minimum_, maximum_);
    }
  }
  return maximum_;
}

void LatencyHistogram::merge(const LatencyHistogram& other) {
  if (other.count_ == 0) return;
  cover(other.first_, other.first_ + other.counts_.size() - 1);
  for (std::size_t k = 0; k < other.counts_.size(); ++k) counts_[other.first_ + k - first_] += other.counts_[k];
  count_ += other.count_;
  sum_ += other.sum_;
  minimum_ = std::min(minimum_, other.minimum_);
  maximum_ = std::max(maximum_, other.maximum_);
}

LatencyHistogram LatencyHistogram::since(const LatencyHistogram& earlier) const {
  if (earlier.count_ == 0) return *this;
  LatencyHistogram added;
  added.counts_.resize(counts_.size());
  added.first_ = first_;
  for (std::size_t k = 0; k < counts_.size(); ++k) {
    const std::size_t bucket = first_ + k;
    added.counts_[k] = counts_[k] - earlier.count_in(bucket);
    if (added.counts_[k] == 0) continue;
    added.minimum_ = std::min(added.minimum_, std::max(lower_edge(bucket), minimum_));
    added.maximum_ = std::min(lower_edge(bucket + 1) - 1, maximum_);
  }
  added.count_ = count_ - earlier.count_;
  added.sum_ = sum_ - earlier.sum_;
  return added;
}

void LatencyHistogram::persist(Archive& archive) {
  std::vector<std::uint64_t> counts(buckets);
  std::copy(counts_.begin(), counts_.end(), counts.begin() + static_cast<std::ptrdiff_t>(first_));
  archive.table(counts, buckets, "buckets of a histogram");
  archive(sum_, minimum_, maximum_);
  if (!archive.loading()) return;
  counts_ = std::move(counts);
  first_ = 0;
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
