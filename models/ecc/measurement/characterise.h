// SPDX-License-Identifier: Apache-2.0
// Measures the real decoder of a code. The payloads are random, and each codeword has a given number of errors at
// random positions. Soft reads are simulated with the SensingChannel. Its RBER is the share of wrong bits in the
// codeword, or a lower one (see code_table.h).
//
// Frames are measured in chunks. Each chunk has its own random stream, whose name contains the code, the sensing
// levels, the errors and the chunk number. Which chunks are measured next depends only on the earlier results. A
// measurement that was interrupted and resumed therefore gives the same result as an uninterrupted one, whatever the
// number of threads.
#pragma once

#include <memory>
#include <vector>

#include "core/work_team.h"
#include "ecc/codes/codec.h"
#include "ecc/measurement/characterisation_plan.h"
#include "ecc/measurement/code_measurement.h"

namespace nandscape::ecc {

class Characterisation {
 public:
  // Continues `measurement`. `codecs` must contain codecs of its code, one for each thread.
  Characterisation(CodeMeasurement measurement, std::vector<std::unique_ptr<Codec>> codecs);

  // Measures one step towards the goal. Returns false if the goal is already reached. If the code does not use soft
  // reads, `levels` must be 1.
  bool advance(std::uint32_t levels, const CharacterisationGoal& goal);

  const CodeMeasurement& measurement() const { return measurement_; }

 private:
  MeasuredFrames measure(const CharacterisationStep& step);

  CodeMeasurement measurement_;
  std::vector<std::unique_ptr<Codec>> codecs_;  // by worker
  WorkTeam team_;
};

// Measures the frames of the chunk number `chunk` of the step.
MeasuredFrames measure_chunk(Codec& codec, const CodeMeasurement& of, const CharacterisationStep& step,
                             std::uint64_t chunk);

}  // namespace nandscape::ecc
