// SPDX-License-Identifier: Apache-2.0
// Derives the outcome of decoding for every number of raw errors in a codeword from the frames that were measured.
//
// Failures. In the following, a count is a number of errors that was measured. The measured rates are first made to
// rise with the number of errors by merging neighbouring counts whose rates fall. Between counts the probit of the rate
// is interpolated linearly. This is exact for a waterfall in which the number of errors that a decoder tolerates has a
// Gaussian distribution. If all frames failed at a count, half a frame is assumed to have succeeded. At the count just
// below the lowest failing one, where no frame failed, half a frame is assumed to have failed. At still lower numbers
// of errors, the logarithm of the rate follows a straight line that is determined by the lowest decade of the measured
// rates. Since a waterfall becomes steeper towards low numbers of errors, the line lies above it. Only an error floor
// far below the measured rates could lie above the line. No codeword fails if its errors do not exceed the guaranteed
// number. Every codeword fails if its errors exceed the highest count.
//
// The number of iterations is interpolated linearly between counts, and is constant outside of the measured range.
#pragma once

#include <cstdint>
#include <vector>

#include "ecc/measurement/code_measurement.h"

namespace nandscape::ecc {

// The outcome of decoding, indexed by the number of errors from 0. The last entry of each vector is also used for all
// larger numbers.
struct FailureCurve {
  std::vector<double> rate;
  // The bounds of the 95 % confidence interval of `rate`, interpolated in the same way as the rate. Since rates rise
  // with the number of errors, the bounds of each count also limit the bounds of its neighbours. If no frame failed,
  // the lower bound is 0. Below the lowest count that the estimate uses, the ratio of the upper bound to the estimate
  // is constant.
  std::vector<double> low, high;
  // The share of failing codewords that the decoder reports as corrected. It is interpolated linearly between counts.
  std::vector<double> miscorrected_share;
  std::vector<double> mean_iterations, iterations_deviation;
  // The lowest measured number of errors that the rates are based on. Rates below it are extrapolated.
  std::uint32_t lowest_known = 0;
};

// Computes the curve from measurements by number of errors. Throws std::invalid_argument if `measured` is empty.
FailureCurve failure_curve(const FramesByErrors& measured, std::uint32_t guaranteed_errors);

}  // namespace nandscape::ecc
