// SPDX-License-Identifier: Apache-2.0
// A write mode whose pages are kept for a shorter time: the ISPP step that this allows, and its blocks. Blocks opened
// for host writes have this mode; the mode belongs to the block.
#pragma once

#include <cstdint>
#include <memory>

#include "controller/migration/block_guarantees.h"
#include "controller/retention/relaxed_blocks.h"
#include "controller/writing/write_mode.h"

namespace nandscape::controller {

// The paper's two designs: the time that data are kept, half of which is the period, and the speedup of writes that
// this allows (3.2.1).
struct RR10Week {
  static constexpr double guarantee_weeks = 10;
  static constexpr double step_ratio = 1.86;
};
struct RR2Week {
  static constexpr double guarantee_weeks = 2;
  static constexpr double step_ratio = 2.33;
};

struct RelaxedWriteParameters {
  double write_step_ratio;
};
void describe(RelaxedWriteParameters& p, ParameterVisitor& v);

class RelaxedMode {
 public:
  // Throws ConfigError if the cells do not allow the step, or if the drive uses copyback.
  RelaxedMode(const RelaxedWriteParameters& parameters, double guarantee_weeks, const WriteModeContext& context);

  std::uint16_t step_mv() const { return step_mv_; }
  static double months(double weeks);
  std::uint8_t mode_of_block(Superblock block, PageOrigin opened_for, Tick now) {
    return opened_for == PageOrigin::host ? blocks_.open(block, now) : 0;
  }
  std::unique_ptr<BlockGuarantees> make_guarantees(const GuaranteeContext& context);

 private:
  const std::uint16_t step_mv_;
  RelaxedBlocks blocks_;
};

}  // namespace nandscape::controller
