// SPDX-License-Identifier: Apache-2.0
// What a decoder made of codewords with so many raw errors, in counts that add up without rounding.
#pragma once

#include <cstdint>

namespace nandscape::ecc {

struct MeasuredFrames {
  std::uint64_t frames = 0;
  std::uint64_t failures = 0;        // not given back as written, whatever the decoder reported
  std::uint64_t miscorrections = 0;  // of them, those that it reported as corrected
  std::uint64_t iterations = 0;      // of all frames together
  std::uint64_t squared_iterations = 0;

  double failure_rate() const { return static_cast<double>(failures) / static_cast<double>(frames); }
  double mean_iterations() const { return static_cast<double>(iterations) / static_cast<double>(frames); }
  double iterations_deviation() const;  // from one frame to another

  MeasuredFrames& operator+=(const MeasuredFrames& other);
  bool operator==(const MeasuredFrames&) const = default;
};

// An estimate and the bounds of its 95 % confidence interval.
struct RateEstimate {
  double rate = 0;
  double low = 0;
  double high = 1;
};

// With the interval of Clopper and Pearson, which holds at least as often as it says. No events or no frames are fine.
RateEstimate estimate_rate(std::uint64_t events, std::uint64_t frames);

}  // namespace nandscape::ecc
