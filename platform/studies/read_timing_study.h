// SPDX-License-Identifier: Apache-2.0
// Profiles the cells of a configuration for adaptive read-retry (Park et al., ASPLOS 2021, section 5.2.3): how far tPRE
// may be shortened in the steps of a read-retry, so that the ECC keeps a margin in the step that reads the page.
//
// Blocks are sampled: their wordlines lie in the device's spread as those of a simulated die do, and each of their
// pages is read at the steps of the retry table until the ECC corrects it; the blocks are full and were not read
// before. How many errors the worst of more pages holds than were sampled follows from the error rates of those that
// were (see Population).
#pragma once

#include <cstdint>
#include <vector>

#include "nand/cell_models/cell_device.h"
#include "nand/cells/population.h"
#include "nand/timing.h"
#include "platform/config/configuration.h"

namespace nandscape {

struct ReadTimingGoal {
  std::uint32_t correctable = 72;  // errors of a codeword
  std::uint32_t margin = 14;       // of them, those to be left in the final step
  double pages = 1e7;              // the worst of so many leaves the margin
  double temperature_c = 85;       // at which they are read
  std::uint32_t parts = 15;        // tPRE is shortened in steps of one of so many parts of it
};

class ReadTimingStudy {
 public:
  // The seed of the blocks is the configuration's. Throws Error for a goal that is none, and ConfigError for cells that
  // tPRE is never too short for.
  ReadTimingStudy(const Configuration& configuration, const ReadTimingGoal& goal, std::uint32_t blocks);
  ReadTimingStudy(const ReadTimingStudy&) = delete;
  ReadTimingStudy& operator=(const ReadTimingStudy&) = delete;

  std::uint64_t sampled_pages() const { return wordlines_.size() * device_.coding.pages(); }

  // The largest reduction that leaves the margin, in 255ths of tPRE, rounded down; `months` at 30 C. 0 also where the
  // margin is not even left by the device's own times. Several threads may ask at once.
  std::uint8_t precharge_reduction(std::uint32_t pe_cycles, double months) const;

 private:
  ReadTimingGoal goal_;
  nand::CellDevice device_;
  nand::NandTiming timing_;
  nand::CodewordLayout codewords_;
  std::vector<nand::AlikeWordlines> wordlines_;
};

// How many errors of a codeword the code of a configuration corrects for certain. Throws ConfigError where that is no
// number, as with LDPC codes.
std::uint32_t guaranteed_correctable(const Configuration& configuration);

}  // namespace nandscape
