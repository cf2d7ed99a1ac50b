// SPDX-License-Identifier: Apache-2.0
// Characterises a code for the command line. The measurement is kept in a file, from which a later run continues.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "ecc/measurement/characterise.h"

namespace nandscape {

class CodeCharacterisation {
 public:
  // Uses `threads` threads. Throws ConfigError for an unknown code, and for a file with a measurement of another code
  // or seed.
  CodeCharacterisation(const std::string& code, std::filesystem::path file, std::uint64_t seed, std::uint32_t threads);

  // See Characterisation.
  bool advance(std::uint32_t levels, const ecc::CharacterisationGoal& goal) { return run_.advance(levels, goal); }
  // Whether the goal is already reached.
  bool finished(std::uint32_t levels, const ecc::CharacterisationGoal& goal) const;

  // The relative error of the measured frame error rate; infinite while the waterfall is not yet found.
  double relative_error(std::uint32_t levels, double frame_error_rate) const;
  std::uint64_t frames(std::uint32_t levels) const;
  // Whether the code is algebraic: its decoder takes no soft information, so only reads with one level are measured.
  bool algebraic() const { return run_.measurement().guaranteed_errors() > 0; }

  void save() const;

 private:
  std::filesystem::path file_;
  ecc::Characterisation run_;
};

}  // namespace nandscape
