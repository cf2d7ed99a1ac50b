// SPDX-License-Identifier: Apache-2.0
// A histogram of durations. The width of a bucket is at most 1/128 of the durations that it counts, so every quantile
// is accurate to 0.4 %, whatever the range. Recording a sample needs no logarithm.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "core/ticks.h"

namespace nandscape {

class Archive;

class LatencyHistogram {
 public:
  void record(Tick duration) {
    const std::size_t bucket = bucket_of(duration);
    if (bucket - first_ >= counts_.size()) [[unlikely]]
      cover(bucket, bucket);
    ++counts_[bucket - first_];
    ++count_;
    sum_ += static_cast<double>(duration);
    if (duration > maximum_) maximum_ = duration;
    if (duration < minimum_) minimum_ = duration;
  }

  std::uint64_t count() const { return count_; }
  // The exact mean. Like minimum(), maximum() and quantile(), it is 0 if there are no samples.
  double mean() const { return count_ == 0 ? 0 : sum_ / static_cast<double>(count_); }
  Tick minimum() const { return count_ == 0 ? 0 : minimum_; }
  Tick maximum() const { return maximum_; }

  // Each value below 2^8 has its own bucket. Above, each octave [2^n, 2^(n+1)) is divided into 2^7 buckets.
  static constexpr int sub_bits = 7;
  static constexpr std::size_t buckets = (std::size_t{64 - sub_bits} + 1) << sub_bits;
  static std::size_t bucket_of(Tick value) {
    const int octave = std::bit_width(value | ((Tick{2} << sub_bits) - 1)) - sub_bits - 1;
    return (static_cast<std::size_t>(octave) << sub_bits) + static_cast<std::size_t>(value >> octave);
  }

  // Returns the smallest duration that is not exceeded by at least `fraction` of the samples (the nearest-rank
  // definition). The result is accurate to 0.4 %.
  Tick quantile(double fraction) const;

  // Adds the samples of another histogram.
  void merge(const LatencyHistogram& other);
  // Returns a histogram of the samples that were recorded since `earlier`, which is a copy of this histogram from an
  // earlier time. If `earlier` is empty, the minimum and the maximum of the result are exact. Otherwise they are
  // accurate to the width of a bucket.
  LatencyHistogram since(const LatencyHistogram& earlier) const;
  void clear() { *this = LatencyHistogram(); }
  void persist(Archive& archive);

 private:
  static Tick lower_edge(std::size_t bucket) {
    if (bucket < (std::size_t{2} << sub_bits)) return bucket;
    const std::size_t octave = (bucket >> sub_bits) - 1;
    return static_cast<Tick>((bucket & ((std::size_t{1} << sub_bits) - 1)) + (std::size_t{1} << sub_bits)) << octave;
  }

  // Extends `counts_` to include the buckets `first` to `last`, rounded to whole octaves.
  void cover(std::size_t first, std::size_t last);
  std::uint64_t count_in(std::size_t bucket) const {
    return bucket - first_ < counts_.size() ? counts_[bucket - first_] : 0;
  }

  // The number of samples in each bucket from `first_` on. Empty buckets below `first_` are not stored, because a run
  // stores many copies of a histogram.
  std::vector<std::uint64_t> counts_;
  std::size_t first_ = 0;
  std::uint64_t count_ = 0;
  double sum_ = 0;
  Tick minimum_ = never;
  Tick maximum_ = 0;
};

}  // namespace nandscape
