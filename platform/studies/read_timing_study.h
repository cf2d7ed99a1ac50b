// SPDX-License-Identifier: Apache-2.0
// Profiles the cells of a configuration for adaptive read-retry (Park et al., ASPLOS 2021, section 5.2.3). The result
// is how far tPRE may be shortened in read-retry steps while the ECC keeps a margin in the final step.
//
// The study samples blocks. Their wordlines vary like those of a simulated die, and each of their pages is read at the
// steps of the retry table until the ECC corrects it. The blocks are full and were not read before. The errors of the
// worst page among more pages than were sampled follow from the error rates of the sampled pages (see Population).
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
  std::uint32_t margin = 14;       // number of these that must stay unused in the final step
  double pages = 1e7;              // number of pages of which the worst keeps the margin
  double temperature_c = 85;       // temperature during the reads
  std::uint32_t parts = 15;        // tPRE is shortened in steps of 1/parts
};

class ReadTimingStudy {
 public:
  // Uses the seed of the configuration. Throws Error for an invalid goal, and ConfigError for cells whose tPRE is never
  // too short.
  ReadTimingStudy(const Configuration& configuration, const ReadTimingGoal& goal, std::uint32_t blocks);
  ReadTimingStudy(const ReadTimingStudy&) = delete;
  ReadTimingStudy& operator=(const ReadTimingStudy&) = delete;

  std::uint64_t sampled_pages() const { return wordlines_.size() * device_.coding.pages(); }

  // The largest reduction that keeps the margin, in 255ths of tPRE, rounded down. `months` are at 30 C. 0 also if even
  // the device's own times do not keep the margin. Several threads may call it concurrently.
  std::uint8_t precharge_reduction(std::uint32_t pe_cycles, double months) const;

 private:
  ReadTimingGoal goal_;
  nand::CellDevice device_;
  nand::NandTiming timing_;
  nand::CodewordLayout codewords_;
  std::vector<nand::AlikeWordlines> wordlines_;
};

// The number of errors that the code of a configuration corrects in every codeword. Throws ConfigError for codes
// without such a number, such as LDPC codes.
std::uint32_t guaranteed_correctable(const Configuration& configuration);

}  // namespace nandscape
