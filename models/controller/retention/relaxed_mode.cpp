// SPDX-License-Identifier: Apache-2.0
#include "controller/retention/relaxed_mode.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "controller/retention/retention_tracker.h"
#include "core/error.h"
#include "core/message_text.h"
#include "core/ticks.h"

namespace nandscape::controller {

namespace {

constexpr double week_hours = 7 * 24;

[[noreturn]] void refuse(const std::string& key, const std::string& what) {
  throw ConfigError({}, "controller." + key, what);
}

std::uint16_t relaxed_step(double ratio, double guarantee_weeks, const WriteFacts& facts) {
  if (ratio == 0) {
    if (!facts.largest_step_kept_for) {
      refuse(
          "write_step_ratio",
          "0 derives the step from the cells, but ideal cells have no limit; set simulation.cells to statistical, or "
          "give a ratio");
    }
    if (!std::isfinite(facts.largest_step_mv)) {
      refuse("write_step_ratio",
             "0 derives the step from the cells, but cells with a single programmed state have no "
             "limit; give a ratio");
    }
    return static_cast<std::uint16_t>(facts.largest_step_kept_for(RelaxedMode::months(guarantee_weeks)));
  }
  if (ratio < 1)
    refuse("write_step_ratio",
           "makes writes slower; take a ratio of at least 1, or 0 to derive the step from the cells");
  const double step = std::round(ratio * facts.step_mv);
  const double largest = std::min<double>(facts.largest_step_mv, std::numeric_limits<std::uint16_t>::max());
  if (step > largest) {
    refuse("write_step_ratio", "times nand.cells.placement.step_mv is a step of " + shown(step) +
                                   " mV, but the states of these cells are " + shown(largest) +
                                   " mV apart; take a ratio of at most " +
                                   shown(std::floor(100 * largest / facts.step_mv) / 100));
  }
  if (const double errors = facts.young_errors ? facts.young_errors(step) : 0; errors > 1) {
    refuse("write_step_ratio",
           "is too large for these cells and this code: pages just programmed have " + shown(errors) +
               " times the errors that the code corrects; take a smaller ratio, a nand.cells.set whose "
               "states are further apart, or a stronger code");
  }
  return static_cast<std::uint16_t>(step);
}

}  // namespace

void describe(RelaxedWriteParameters& p, ParameterVisitor& v) {
  v.real("write_step_ratio", p.write_step_ratio, {0, 10}, "",
         "ISPP step of relaxed writes over nand.cells.placement.step_mv; larger is faster and keeps data less long; 0: "
         "the "
         "largest step with which these cells keep equally frequent states for the mode's guaranteed time, after "
         "controller.content.kept_kilocycles");
}

double RelaxedMode::months(double weeks) { return weeks * week_hours / hours_per_month; }

RelaxedMode::RelaxedMode(const RelaxedWriteParameters& p, double guarantee_weeks, const WriteModeContext& context)
    : step_mv_(relaxed_step(p.write_step_ratio, guarantee_weeks, context.facts)),
      blocks_(guarantee_weeks / 2 * week_hours, context.clock) {
  if (context.facts.copyback) {
    refuse("write_mode",
           "is recorded in page tags, and copyback would move tags to other blocks; set "
           "controller.garbage_collection.copyback to false");
  }
}

std::unique_ptr<BlockGuarantees> RelaxedMode::make_guarantees(const GuaranteeContext& context) {
  return std::make_unique<RetentionTracker>(blocks_, context);
}

}  // namespace nandscape::controller
