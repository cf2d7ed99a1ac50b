// SPDX-License-Identifier: Apache-2.0
// From measured frames to what every number of raw errors of a codeword leads to.
//
// Failures. The measured rates are first made to rise with the number of errors: neighbours that fall are pooled. In
// between, the probit of the rate is linear, which it is in a waterfall where the number of errors that a decoder bears
// is about Gaussian; of what never or always failed, it takes half a frame as having done otherwise. Below the lowest
// count that failed, the next one that did not is given half a failure, and from there the logarithm of the rate goes
// on in the straight line over the lowest decade of measured rates. A waterfall falls ever faster, so that the line
// lies above it. What it cannot know of is an error floor far below the rates that were measured. No more errors than
// the code is sure to correct never fail; more than were measured always do.
//
// Iterations are linear in between, and constant beyond what was measured.
#pragma once

#include <cstdint>
#include <vector>

#include "ecc/measurement/code_measurement.h"

namespace nandscape::ecc {

// By the number of errors, from 0; the last entry holds for all larger numbers.
struct FailureCurve {
  std::vector<double> rate;
  // Of the 95 % confidence interval, interpolated likewise. Each measured count confines its neighbours, too, since
  // rates rise with errors. Where nothing failed, nothing is sure to fail, and below the lowest count that the estimate
  // takes account of, the upper bound keeps its ratio to the estimate.
  std::vector<double> low, high;
  // Of codewords that fail, those that the decoder reports as corrected; linear in between.
  std::vector<double> miscorrected_share;
  std::vector<double> mean_iterations, iterations_deviation;
  // The lowest measured count that the rates rest on; below it they are extrapolated.
  std::uint32_t lowest_known = 0;
};

// Throws std::invalid_argument when there are no frames.
FailureCurve failure_curve(const FramesByErrors& measured, std::uint32_t guaranteed_errors);

}  // namespace nandscape::ecc
