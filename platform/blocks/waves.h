// SPDX-License-Identifier: Apache-2.0
// Configuration group `simulation.waves`, and the files that come of it. Each block that has waves writes those of its
// designs or of its pins to files of their own, beside the one that is named: "run.nand_0_0.vcd" for "run.vcd".
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
  // Of a drive that is switched on at `start`.
  WaveFiles(const WavesParameters& parameters, Tick start);

  // The file of what is called `name`, such as "nand_0_0", for a block that writes files with that suffix, ".vcd" say:
  // empty when no such file is asked for, or the window is over. A drive that is switched on again writes others, with
  // the time in their names.
  std::string path(std::string_view suffix, const std::string& name);
  // When recording begins, at the start of the drive or later.
  Tick begin() const { return std::max(begin_, start_); }
  Tick end() const { return end_; }

  // Throws ConfigError when waves are asked for and no block has any: called once all are made.
  void check_taken() const;

 private:
  const std::string file_;
  const Tick start_;
  const Tick begin_;
  const Tick end_;
  bool taken_ = false;
};

}  // namespace nandscape
