// SPDX-License-Identifier: Apache-2.0
// Plays a sequence on a simulated drive beside the reference model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sequence.h"

namespace nandscape::soak {

struct Outcome {
  std::string failure;           // what was wrong; empty when nothing was
  bool refused = false;          // the settings do not go together: a ConfigError
  std::uint64_t operations = 0;  // that were played
  std::uint64_t digest = 0;      // of everything that the host has seen and of the statistics
  double longest_s = 0;          // latency of a command, in simulated time
  double most_of_bound = 0;      // of a command: its latency, as a share of what it may take
};

// Every drive starts from these: the preset `default` made tiny, and full.
const std::vector<std::string>& base_settings();

// Plays it in this process. Whatever goes wrong in the drive is told in the outcome, as long as the process lives.
// `told`: operations and answers are printed as they come.
Outcome play(const Sequence& sequence, bool told = false);

}  // namespace nandscape::soak
