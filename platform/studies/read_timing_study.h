// SPDX-License-Identifier: Apache-2.0
// Profiles the cells of a configuration for adaptive read-retry (Park et al., ASPLOS 2021, section 5.2.3). The result
// is the amount by which tPRE may be shortened in the steps of a read-retry, so that the ECC still has a margin in the
// final step.
//
// The study samples blocks. Their wordlines vary like those of a simulated die, and each of their pages is read at the
// steps of the retry table until the ECC corrects it. The blocks are full and were not read before. The errors of the
// worst page among more pages than were sampled are computed from the error rates of the sampled pages (see
// Population).
#pragma once

#include <cstdint>
#include <vector>

#include "nand/cell_models/cell_device.h"
#include "nand/cells/population.h"
#include "nand/timing.h"
#include "platform/config/configuration.h"

namespace nandscape {

struct ReadTimingGoal {
  std::uint32_t correctable = 72;  // correctable errors of a codeword
  std::uint32_t margin = 14;       // number of correctable errors that must remain unused in the final step
  double pages = 1e7;              // number of pages among which even the worst page must keep the margin
  double temperature_c = 85;       // temperature during the reads
  std::uint32_t parts = 15;        // tPRE is shortened in steps of 1/parts of its length
};

class ReadTimingStudy {
 public:
  // Prepares the study. The seed is that of the configuration. Throws Error for an invalid goal, and ConfigError for
  // cells whose tPRE is never too short.
  ReadTimingStudy(const Configuration& configuration, const ReadTimingGoal& goal, std::uint32_t blocks);
  ReadTimingStudy(const ReadTimingStudy&) = delete;
  ReadTimingStudy& operator=(const ReadTimingStudy&) = delete;

  std::uint64_t sampled_pages() const { return wordlines_.size() * device_.coding.pages(); }

  // Returns the largest reduction of tPRE with which the margin is kept, in units of 1/255 of tPRE, rounded down.
  // `months` is the time at 30 C. The result is also 0 if the margin is not kept even with the device's own times.
  // Several threads may call this function concurrently.
  std::uint8_t precharge_reduction(std::uint32_t pe_cycles, double months) const;

 private:
  ReadTimingGoal goal_;
  nand::CellDevice device_;
  nand::NandTiming timing_;
  nand::CodewordLayout codewords_;
  std::vector<nand::AlikeWordlines> wordlines_;
};

// Returns the number of errors that the code of a configuration always corrects in a codeword. Throws ConfigError for
// codes that do not guarantee such a number, for example LDPC codes.
std::uint32_t guaranteed_correctable(const Configuration& configuration);

}  // namespace nandscape
