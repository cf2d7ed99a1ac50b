// SPDX-License-Identifier: Apache-2.0
// Plays a sequence on a simulated drive and compares it with the reference model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sequence.h"

namespace nandscape::soak {

struct Outcome {
  std::string failure;           // describes the failure; empty if there was none
  bool refused = false;          // the combination of settings is invalid: a ConfigError
  std::uint64_t operations = 0;  // number of operations played
  std::uint64_t digest = 0;      // digest of all answers to the host and of the statistics
  double longest_s = 0;          // longest latency of a command, in simulated time
  double most_of_bound = 0;      // largest latency of a command as a share of its bound
};

// Every drive starts from these settings on the preset `bare`: tiny, and full.
const std::vector<std::string>& base_settings();

// Plays a sequence in this process. Errors of the drive are reported in the outcome, unless they end the process. With
// `told`, prints operations and answers as they come.
Outcome play(const Sequence& sequence, bool told = false);

}  // namespace nandscape::soak
