// SPDX-License-Identifier: Apache-2.0
// Measures the real decoder of a code with random payloads and a given number of errors at random places. Soft reads
// are those of the SensingChannel whose RBER is the share of wrong bits in the codeword, or a smaller one (see
// code_table.h).
//
// Frames come in chunks, each with its own random stream, named by code, sensing levels, errors and number of the
// chunk. The next chunks depend only on the earlier measurements: an interrupted and resumed measurement gives the same
// result as an uninterrupted one, with any number of threads.
#pragma once

#include <memory>
#include <vector>

#include "ecc/codes/codec.h"
#include "ecc/measurement/characterisation_plan.h"
#include "ecc/measurement/code_measurement.h"

namespace nandscape::ecc {

class Characterisation {
 public:
  // Continues `measurement`. `codecs` are codecs of its code, one for each thread.
  Characterisation(CodeMeasurement measurement, std::vector<std::unique_ptr<Codec>> codecs);

  // Measures one step towards the goal; returns false if it is reached. Codes that do not use soft reads have one
  // level.
  bool advance(std::uint32_t levels, const CharacterisationGoal& goal);

  const CodeMeasurement& measurement() const { return measurement_; }

 private:
  MeasuredFrames measure(const CharacterisationStep& step);

  CodeMeasurement measurement_;
  std::vector<std::unique_ptr<Codec>> codecs_;
};

// Measures the frames of one chunk of the step.
MeasuredFrames measure_chunk(Codec& codec, const CodeMeasurement& of, const CharacterisationStep& step,
                             std::uint64_t chunk);

}  // namespace nandscape::ecc
