// SPDX-License-Identifier: Apache-2.0
// The results of decoding codewords with a given number of raw errors. All counts are integers, so results can be added
// without rounding errors.
#pragma once

#include <cstdint>

namespace nandscape::ecc {

struct MeasuredFrames {
  std::uint64_t frames = 0;
  std::uint64_t failures = 0;        // frames not decoded to the data written, whatever the decoder reported
  std::uint64_t miscorrections = 0;  // failures that the decoder reported as corrected
  std::uint64_t iterations = 0;      // sum over all frames
  std::uint64_t squared_iterations = 0;

  double failure_rate() const { return static_cast<double>(failures) / static_cast<double>(frames); }
  double mean_iterations() const { return static_cast<double>(iterations) / static_cast<double>(frames); }
  double iterations_deviation() const;  // standard deviation among frames

  MeasuredFrames& operator+=(const MeasuredFrames& other);
  bool operator==(const MeasuredFrames&) const = default;
};

// An estimated rate and the bounds of its 95 % confidence interval.
struct RateEstimate {
  double rate = 0;
  double low = 0;
  double high = 1;
};

// Estimates the rate of events with the interval of Clopper and Pearson, whose coverage is at least 95 %. `events` and
// `frames` may be 0.
RateEstimate estimate_rate(std::uint64_t events, std::uint64_t frames);

}  // namespace nandscape::ecc
