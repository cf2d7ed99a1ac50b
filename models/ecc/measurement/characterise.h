// SPDX-License-Identifier: Apache-2.0
// Measures how a code's real decoder does: random payloads with so many errors at random places. Soft reads are those
// of the SensingChannel whose RBER is the share of the codeword's bits that are wrong, or a smaller one (see
// code_table.h).
//
// Frames come in chunks, each with a random stream of its own, named by code, sensing levels, errors and the chunk's
// number. Which chunks come next depends on nothing but what was measured before: a measurement that was interrupted
// and taken up again ends as one that was not, on any number of threads.
#pragma once

#include <memory>
#include <vector>

#include "ecc/codes/codec.h"
#include "ecc/measurement/characterisation_plan.h"
#include "ecc/measurement/code_measurement.h"

namespace nandscape::ecc {

class Characterisation {
 public:
  // Goes on from `measurement`. `codecs` of its code, one for each thread.
  Characterisation(CodeMeasurement measurement, std::vector<std::unique_ptr<Codec>> codecs);

  // Measures one step towards the goal; false when it is reached. Codes that soft reads tell nothing have one level.
  bool advance(std::uint32_t levels, const CharacterisationGoal& goal);

  const CodeMeasurement& measurement() const { return measurement_; }

 private:
  MeasuredFrames measure(const CharacterisationStep& step);

  CodeMeasurement measurement_;
  std::vector<std::unique_ptr<Codec>> codecs_;
};

// The frames of one chunk of such a step.
MeasuredFrames measure_chunk(Codec& codec, const CodeMeasurement& of, const CharacterisationStep& step,
                             std::uint64_t chunk);

}  // namespace nandscape::ecc
