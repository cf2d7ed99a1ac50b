// SPDX-License-Identifier: Apache-2.0
// Derives from measured frames the outcome for every number of raw errors of a codeword.
//
// Failures. The measured rates are first made to rise with the number of errors: falling neighbours are pooled. Between
// counts the probit of the rate is linear, as it is in a waterfall where the number of errors that a decoder tolerates
// is about Gaussian. A count at which all frames failed is taken to have half a frame that did not. The next count
// below the lowest failing one had no failure and is given half a failure. Below that count the logarithm of the rate
// continues along the straight line over the lowest decade of measured rates. A waterfall falls ever faster, so the
// line lies above it; only an error floor far below the measured rates could lie above the line. Up to the guaranteed
// errors of the code nothing fails; beyond the measured counts everything fails.
//
// Iterations are linear between counts, and constant outside of the measured range.
#pragma once

#include <cstdint>
#include <vector>

#include "ecc/measurement/code_measurement.h"

namespace nandscape::ecc {

// By number of errors, from 0; the last entry holds for all larger numbers.
struct FailureCurve {
  std::vector<double> rate;
  // The bounds of the 95 % confidence interval, interpolated in the same way. Each measured count also bounds its
  // neighbours, since rates rise with errors. If nothing failed, the lower bound is 0. Below the lowest count that the
  // estimate uses, the upper bound keeps its ratio to the estimate.
  std::vector<double> low, high;
  // The share of failing codewords that the decoder reports as corrected; linear between counts.
  std::vector<double> miscorrected_share;
  std::vector<double> mean_iterations, iterations_deviation;
  // The lowest measured count that the rates use; below it they are extrapolated.
  std::uint32_t lowest_known = 0;
};

// Throws std::invalid_argument if there are no frames.
FailureCurve failure_curve(const FramesByErrors& measured, std::uint32_t guaranteed_errors);

}  // namespace nandscape::ecc
