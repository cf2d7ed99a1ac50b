// SPDX-License-Identifier: Apache-2.0
// Measures the failure rates of a code, for the command line. The measurement is stored in a file, from which a later
// run can continue.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "ecc/measurement/characterise.h"

namespace nandscape {

class CodeCharacterisation {
 public:
  // Prepares the measurement with `threads` threads. Throws ConfigError for an unknown code, and for a file that
  // contains a measurement of another code or with another seed.
  CodeCharacterisation(const std::string& code, std::filesystem::path file, std::uint64_t seed, std::uint32_t threads);

  // Measures one step towards the goal. Returns false if the goal has already been reached.
  bool advance(std::uint32_t levels, const ecc::CharacterisationGoal& goal) { return run_.advance(levels, goal); }
  // Returns whether the goal has already been reached.
  bool finished(std::uint32_t levels, const ecc::CharacterisationGoal& goal) const;

  // Returns the relative error of the measured frame error rate. It is infinite until the waterfall of the code has
  // been found.
  double relative_error(std::uint32_t levels, double frame_error_rate) const;
  std::uint64_t frames(std::uint32_t levels) const;
  // Returns whether the code is algebraic. The decoder of such a code does not use soft information, so only reads with
  // one sensing level are measured.
  bool algebraic() const { return run_.measurement().guaranteed_errors() > 0; }

  void save() const;

 private:
  std::filesystem::path file_;
  ecc::Characterisation run_;
};

}  // namespace nandscape
