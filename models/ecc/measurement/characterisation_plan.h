// SPDX-License-Identifier: Apache-2.0
// Decides which frames to measure next. The aim is to know the frame error rates down to that of the goal from as few
// measured frames as possible.
//
// An algebraic code fails as soon as a codeword has more errors than it is guaranteed to correct, so only a few error
// counts around that number are measured. For other codes the plan
//   1. searches for the waterfall: it doubles the errors until all frames fail, then bisects;
//   2. lays a grid of error counts over the waterfall, up to the count at which all frames fail and down to the count
//      below which failures add almost nothing to the goal's frame error rate; below the waterfall it lays a coarse
//      grid for the decoder's iterations;
//   3. adds frames where they reduce the uncertainty most, until each decade of frame error rates down to the goal is
//      known as precisely as wanted;
//   4. for soft reads, measures once how often codewords fail with two standard deviations more errors than are usual
//      for their channel.
#pragma once

#include <cstdint>
#include <optional>

#include "ecc/measurement/code_measurement.h"

namespace nandscape::ecc {

inline constexpr std::uint32_t frames_per_chunk = 16;

struct CharacterisationGoal {
  double frame_error_rate = 1e-5;  // the lowest rate of interest
  double relative_error = 0.1;     // required ratio of the standard error to the rate
  std::uint32_t frames = 128;      // minimum number of frames for each error count
};

// A step of the measurement: chunks of frames that have `errors` errors each. Their numbers follow those of the chunks
// measured so far.
struct CharacterisationStep {
  std::uint32_t levels = 1;
  std::uint32_t errors = 0;
  std::uint32_t channel_errors = 0;  // see OffChannelFrames; otherwise equal to errors
  std::uint64_t first_chunk = 0;
  std::uint32_t chunks = 0;
};

// Returns the next step, or nullopt if the goal is reached.
std::optional<CharacterisationStep> next_step(const CodeMeasurement& measurement, std::uint32_t levels,
                                              const CharacterisationGoal& goal);

// Returns the relative error with which the measurements determine that frame error rate. The error of extrapolation is
// not included. The result is infinite during the search for the waterfall.
double relative_error(const CodeMeasurement& measurement, std::uint32_t levels, double frame_error_rate);

}  // namespace nandscape::ecc
