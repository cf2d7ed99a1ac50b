// SPDX-License-Identifier: Apache-2.0
// A characterisation that lives in a file, for the command line: it goes on with what the file holds.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "ecc/measurement/characterise.h"

namespace nandscape {

class CodeCharacterisation {
 public:
  // With as many threads. Throws ConfigError for an unknown code, and for a file that holds another code's measurement
  // or one of another seed.
  CodeCharacterisation(const std::string& code, std::filesystem::path file, std::uint64_t seed, std::uint32_t threads);

  // See Characterisation.
  bool advance(std::uint32_t levels, const ecc::CharacterisationGoal& goal) { return run_.advance(levels, goal); }
  // Whether the goal is reached already.
  bool finished(std::uint32_t levels, const ecc::CharacterisationGoal& goal) const;

  // Of the frame error rate; infinite while the waterfall is being looked for.
  double relative_error(std::uint32_t levels, double frame_error_rate) const;
  std::uint64_t frames(std::uint32_t levels) const;
  // That soft reads tell nothing to: reads have one level for it.
  bool algebraic() const { return run_.measurement().guaranteed_errors() > 0; }

  void save() const;

 private:
  std::filesystem::path file_;
  ecc::Characterisation run_;
};

}  // namespace nandscape
