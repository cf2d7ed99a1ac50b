// SPDX-License-Identifier: Apache-2.0
// Plays a sequence of operations on a simulated drive, and compares the drive's answers with the reference model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sequence.h"

namespace nandscape::soak {

struct Outcome {
  std::string failure;  // description of the failure; empty if there was none
  // true if the combination of settings is invalid, so that building the drive throws a ConfigError
  bool refused = false;
  std::uint64_t operations = 0;  // number of operations played
  std::uint64_t digest = 0;      // hash of all answers to the host and of the statistics, to compare runs
  double longest_s = 0;          // largest latency of a command, in simulated seconds
  double most_of_bound = 0;      // largest latency of a command, divided by its upper bound
};

// Returns settings for a tiny, full drive on top of the preset `bare`. The settings of a sequence are added to these.
const std::vector<std::string>& base_settings();

// Plays a sequence in this process. Errors of the drive are reported in the outcome, unless they end the process. If
// `told` is true, prints each operation and each answer.
Outcome play(const Sequence& sequence, bool told = false);

}  // namespace nandscape::soak
