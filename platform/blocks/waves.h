// SPDX-License-Identifier: Apache-2.0
// Configuration group `simulation.waves`, and its files. Each block with waves writes its own files for its designs or
// pins, named after the configured file: "run.nand_0_0.vcd" for "run.vcd".
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "core/parameters.h"
#include "core/ticks.h"

namespace nandscape {

struct WavesParameters {
  std::string file;
  double begin_us = 0;
  double end_us = 1000;
};
void describe(WavesParameters& p, ParameterVisitor& v);

class WaveFiles {
 public:
  // `start` is the time at which the drive is switched on.
  WaveFiles(const WavesParameters& parameters, Tick start);

  // Returns the path of the file to which a block writes its waves. `name` is the name of the block, for example
  // "nand_0_0", and `suffix` the suffix of the file, for example ".vcd". The path is empty if the configured file has a
  // different suffix, or if the time window has already ended. After a power cycle the drive writes new files, whose
  // names contain the time.
  std::string path(std::string_view suffix, const std::string& name);
  // Returns the time at which recording begins, which is not before the drive is switched on.
  Tick begin() const { return std::max(begin_, start_); }
  Tick end() const { return end_; }

  // Throws ConfigError if waves are configured and no block writes them. Call it after all blocks have been made.
  void check_taken() const;

 private:
  const std::string file_;
  const Tick start_;
  const Tick begin_;
  const Tick end_;
  bool taken_ = false;
};

}  // namespace nandscape
