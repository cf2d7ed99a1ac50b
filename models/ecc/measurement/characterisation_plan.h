// SPDX-License-Identifier: Apache-2.0
// Which frames to measure next, so that frame error rates are known down to the goal with as few as possible.
//
// An algebraic code fails beyond its guaranteed errors: a few counts round them show it. For others the plan
//   1. looks for the waterfall: errors are doubled until all frames fail, then the bounds are halved;
//   2. lays a grid of counts over it, up to where all frames fail and down to where what lies below adds next to
//      nothing to the goal's frame error rate, and a coarse one below it for the decoder's iterations;
//   3. adds frames where they take away most of the uncertainty, until each decade of frame error rates down to the
//      goal is known as well as wanted;
//   4. of soft reads, measures once how often a codeword fails that has two standard deviations more errors than its
//      channel makes usual.
#pragma once

#include <cstdint>
#include <optional>

#include "ecc/measurement/code_measurement.h"

namespace nandscape::ecc {

inline constexpr std::uint32_t frames_per_chunk = 16;

struct CharacterisationGoal {
  double frame_error_rate = 1e-5;  // the lowest that is to be known
  double relative_error = 0.1;     // how well: its standard error over itself
  std::uint32_t frames = 128;      // of each count of errors, at least
};

// Chunks of a number of errors, those that follow the ones it has.
struct CharacterisationStep {
  std::uint32_t levels = 1;
  std::uint32_t errors = 0;
  std::uint32_t channel_errors = 0;  // see OffChannelFrames; else the same as errors
  std::uint64_t first_chunk = 0;
  std::uint32_t chunks = 0;
};

// None when the goal is reached.
std::optional<CharacterisationStep> next_step(const CodeMeasurement& measurement, std::uint32_t levels,
                                              const CharacterisationGoal& goal);

// Of that frame error rate as it is known now, apart from what is extrapolated; infinite while the waterfall is being
// looked for.
double relative_error(const CodeMeasurement& measurement, std::uint32_t levels, double frame_error_rate);

}  // namespace nandscape::ecc
