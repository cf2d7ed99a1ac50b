// SPDX-License-Identifier: Apache-2.0
// The built-in write mode, configured by the keys of `controller.write_mode`. Two features allow larger ISPP steps,
// alone or together:
//
//   kept_weeks   Retention relaxation [Liu et al., FAST 2012]. Blocks that are opened for host writes keep their data
//                only for some weeks, and are reprogrammed before that time ends. Background writes use the default
//                step.
//   by_content   Each page is programmed with the largest step with which its content stays readable for the time for
//                which it must be kept [Sha, section IV-B1].
//
// With both features, a page in a block that is kept for weeks never uses a smaller step than `kept_weeks` alone
// allows.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "controller/retention/retention_tracker.h"
#include "controller/writing/content_steps.h"
#include "core/error.h"
#include "core/message_text.h"
#include "core/ticks.h"

namespace nandscape::controller {

namespace {

constexpr double week_hours = 7 * 24;

double months(std::uint32_t weeks) { return weeks * week_hours / hours_per_month; }

[[noreturn]] void refuse(const std::string& key, const std::string& what) {
  throw ConfigError({}, "controller.write_mode." + key, what);
}

// Returns the ISPP step for pages that are kept for `kept_weeks`. Throws ConfigError if `step_ratio` is less than 1, or
// so large that pages would have uncorrectable errors right after they are programmed.
std::uint16_t relaxed_step_mv(const WriteModeParameters& p, const WriteFacts& facts) {
  if (p.step_ratio == 0) return static_cast<std::uint16_t>(facts.largest_step_kept_for(months(p.kept_weeks)));
  if (p.step_ratio < 1)
    refuse("step_ratio", "makes writes slower; take a ratio of at least 1, or 0 to derive the step from the cells");
  const double step = std::round(p.step_ratio * facts.step_mv);
  if (const double errors = facts.young_errors ? facts.young_errors(step) : 0; errors > 1) {
    refuse("step_ratio", "is too large for these cells and this code: pages just programmed have " + shown(errors) +
                             " times the errors that the code corrects; take a smaller ratio, a nand.cells.set whose "
                             "states are further apart, or a stronger code");
  }
  return static_cast<std::uint16_t>(step);
}

class BuiltInMode final : public WriteModePolicy {
 public:
  using Parameters = NoParameters;
  BuiltInMode(const Parameters&, const WriteModeContext& context) {
    const auto& [p, facts, clock] = context;
    if (p.kept_weeks != 0) relax(p, facts, clock);
    if (!p.by_content) return;
    steps_.emplace(facts.content_kept_for(facts.content.parameters.kept_months));
    if (relaxed_) relaxed_steps_.emplace(facts.content_kept_for(months(p.kept_weeks)));
  }

  bool plain() const override { return !relaxed_ && !steps_; }
  std::uint8_t mode_of_block(Superblock block, PageOrigin opened_for, Tick now) override {
    return relaxed_ && opened_for == PageOrigin::host ? relaxed_->open(block, now) : 0;
  }
  std::uint16_t step_mv(const PlacedPage& page) override {
    if (page.block_mode == 0) return steps_ ? steps_->step_mv(page) : own_step;
    return relaxed_steps_ ? std::max(relaxed_step_mv_, relaxed_steps_->step_mv(page)) : relaxed_step_mv_;
  }
  bool goes_by_wordline() const override { return steps_ && steps_->goes_by_wordline(); }
  bool maps_states() const override { return steps_ && steps_->maps_states(); }
  std::uint8_t state_map(std::span<const std::byte> first, std::span<const std::byte> last) const override {
    return steps_->state_map(first, last);
  }
  std::unique_ptr<BlockGuarantees> make_guarantees(const GuaranteeContext& context) override {
    if (!relaxed_) return WriteModePolicy::make_guarantees(context);
    return std::make_unique<RetentionTracker>(*relaxed_, context);
  }

 private:
  // The retention time is divided into two periods, because a block is reprogrammed in the period after the one in
  // which it was opened.
  void relax(const WriteModeParameters& p, const WriteFacts& facts, const DriveClock& clock) {
    relaxed_step_mv_ = relaxed_step_mv(p, facts);
    relaxed_.emplace(p.kept_weeks * week_hours / 2, clock);
  }

  std::optional<RelaxedBlocks> relaxed_;       // has a value if kept_weeks is not 0
  std::uint16_t relaxed_step_mv_ = own_step;   // ISPP step, in mV, of pages in relaxed blocks
  std::optional<ContentSteps> steps_;          // has a value if by_content is true
  std::optional<ContentSteps> relaxed_steps_;  // if both are given: the steps of pages in relaxed blocks
};

}  // namespace

void register_built_in_mode(WriteModeRegistry& registry) {
  registry.add<BuiltInMode>("built_in", "the device's own step, or larger ones by kept_weeks and by_content");
}

}  // namespace nandscape::controller
