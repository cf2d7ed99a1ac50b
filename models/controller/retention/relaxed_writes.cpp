// SPDX-License-Identifier: Apache-2.0
// Retention relaxation [Liu et al., FAST 2012]: what the host writes is programmed with a larger ISPP step, by a
// shorter time, and is kept for less; what the controller writes of its own accord is programmed as usual. The mode is
// that of the block, by whom it was opened for.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "controller/retention/relaxed_blocks.h"
#include "controller/retention/retention_tracker.h"
#include "controller/writing/write_mode.h"
#include "core/error.h"
#include "core/message_text.h"

namespace nandscape::controller {

namespace {

constexpr double week_hours = 7 * 24;

// Table of the paper's two designs: how long data are kept, half of which is the period, and the speedup of writes that
// this allows (3.2.1).
struct RR10Week {
  static constexpr double guarantee_weeks = 10;
  static constexpr double step_ratio = 1.86;
};
struct RR2Week {
  static constexpr double guarantee_weeks = 2;
  static constexpr double step_ratio = 2.33;
};

[[noreturn]] void refuse(const std::string& key, const std::string& what) {
  throw ConfigError({}, "controller." + key, what);
}

std::uint16_t relaxed_step(double ratio, const WriteFacts& facts) {
  const double step = std::round(ratio * facts.step_mv);
  const double largest = std::min<double>(facts.largest_step_mv, std::numeric_limits<std::uint16_t>::max());
  if (step > largest) {
    refuse("write_step_ratio", "times nand.cells.placement.step_mv is a step of " + shown(step) +
                                   " mV, and states of these cells lie " + shown(largest) +
                                   " mV apart; take a ratio of at most " +
                                   shown(std::floor(100 * largest / facts.step_mv) / 100));
  }
  if (const double errors = facts.young_errors ? facts.young_errors(step) : 0; errors > 1) {
    refuse("write_step_ratio", "is too large for these cells and this code: pages that were just programmed have " +
                                   shown(errors) +
                                   " times the errors that are corrected; take a smaller ratio, nand.cells.set whose "
                                   "states lie further apart, or a stronger code");
  }
  return static_cast<std::uint16_t>(step);
}

struct RelaxedWriteParameters {
  double write_step_ratio;
};

void describe(RelaxedWriteParameters& p, ParameterVisitor& v) {
  v.real("write_step_ratio", p.write_step_ratio, {1, 10}, "",
         "ISPP step of relaxed writes over nand.cells.placement.step_mv: how much faster they are, and less kept");
}

template <class Mode>
class RelaxedWrites final : public WriteModePolicy {
 public:
  struct Parameters : RelaxedWriteParameters {
    Parameters() : RelaxedWriteParameters{Mode::step_ratio} {}
  };

  RelaxedWrites(const Parameters& p, const WriteModeContext& context)
      : step_mv_(relaxed_step(p.write_step_ratio, context.facts)),
        blocks_(Mode::guarantee_weeks / 2 * week_hours, context.clock) {
    if (context.facts.copyback) {
      refuse("write_mode",
             "is told by the tags of pages, and copyback moves those of other blocks; set "
             "controller.garbage_collection.copyback to false");
    }
  }

  std::uint8_t mode_of_block(Superblock block, PageOrigin opened_for, Tick now) override {
    return opened_for == PageOrigin::host ? blocks_.open(block, now) : 0;
  }
  std::uint16_t step_mv(const PlacedPage& page) override { return page.block_mode == 0 ? 0 : step_mv_; }
  std::unique_ptr<BlockGuarantees> make_guarantees(const GuaranteeContext& context) override {
    return std::make_unique<RetentionTracker>(blocks_, context);
  }

 private:
  const std::uint16_t step_mv_;
  RelaxedBlocks blocks_;
};

}  // namespace

void register_relaxed_writes(WriteModeRegistry& registry) {
  registry.add<RelaxedWrites<RR10Week>>(
      "rr_10week", "writes of the host are fast and kept for 10 weeks, and reprogrammed within the second five");
  registry.add<RelaxedWrites<RR2Week>>(
      "rr_2week", "writes of the host are fast and kept for 2 weeks, and reprogrammed within the second one");
}

}  // namespace nandscape::controller
