// SPDX-License-Identifier: Apache-2.0
// Counts durations in buckets whose width is at most 1/128 of their value. Any quantile is accurate to 0.4 %, whatever
// the range, and recording a sample needs no logarithm.
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
  // The exact mean. Like every figure below, it is 0 without samples.
  double mean() const { return count_ == 0 ? 0 : sum_ / static_cast<double>(count_); }
  Tick minimum() const { return count_ == 0 ? 0 : minimum_; }
  Tick maximum() const { return maximum_; }

  // Values below 2^8 have a bucket each; above, each octave [2^n, 2^(n+1)) has 2^7 buckets.
  static constexpr int sub_bits = 7;
  static constexpr std::size_t buckets = (std::size_t{64 - sub_bits} + 1) << sub_bits;
  static std::size_t bucket_of(Tick value) {
    const int shift = std::bit_width(value | ((Tick{1} << sub_bits) - 1)) - sub_bits - 1;
    const int octave = shift < 0 ? 0 : shift;
    return (static_cast<std::size_t>(octave) << sub_bits) + static_cast<std::size_t>(value >> octave);
  }

  // The smallest duration that at least `fraction` of the samples do not exceed (nearest rank), accurate to 0.4 %.
  Tick quantile(double fraction) const;

  // Adds the samples of another histogram.
  void merge(const LatencyHistogram& other);
  // Returns the samples recorded since `earlier`, a copy of this histogram at an earlier time. If `earlier` is empty,
  // minimum and maximum of the result are exact; otherwise they are accurate to the width of a bucket.
  LatencyHistogram since(const LatencyHistogram& earlier) const;
  void clear() { *this = LatencyHistogram(); }
  void persist(Archive& archive);

 private:
  static Tick lower_edge(std::size_t bucket) {
    if (bucket < (std::size_t{2} << sub_bits)) return bucket;
    const std::size_t octave = (bucket >> sub_bits) - 1;
    return static_cast<Tick>((bucket & ((std::size_t{1} << sub_bits) - 1)) + (std::size_t{1} << sub_bits)) << octave;
  }

  // Extends `counts_` to these buckets, in whole octaves.
  void cover(std::size_t first, std::size_t last);
  std::uint64_t count_in(std::size_t bucket) const {
    return bucket - first_ < counts_.size() ? counts_[bucket - first_] : 0;
  }

  // Numbers of samples in buckets `first_` and up. The lower buckets are left out, since a run keeps many copies.
  std::vector<std::uint64_t> counts_;
  std::size_t first_ = 0;
  std::uint64_t count_ = 0;
  double sum_ = 0;
  Tick minimum_ = never;
  Tick maximum_ = 0;
};

}  // namespace nandscape
