// SPDX-License-Identifier: Apache-2.0
// Retention relaxation and content-dependent writes in one: what a page bears depends on what it holds and on how long
// it is kept. A page in a block that is kept for weeks takes the largest step that its content bears for these weeks,
// and no smaller one than retention relaxation gives it anyway; every other page takes that which its content bears for
// the time that all data are kept.
#include <algorithm>

#include "controller/retention/relaxed_mode.h"
#include "controller/writing/content_steps.h"

namespace nandscape::controller {

namespace {

template <class Mode>
class RelaxedContentWrites final : public WriteModePolicy {
 public:
  struct Parameters : RelaxedWriteParameters {
    Parameters() : RelaxedWriteParameters{Mode::step_ratio} {}
  };

  RelaxedContentWrites(const Parameters& p, const WriteModeContext& context)
      : relaxed_(p, Mode::guarantee_weeks, context),
        kept_(content_steps(context.facts.content_kept_for(context.facts.content.parameters.kept_months))),
        relaxed_steps_(content_steps(context.facts.content_kept_for(RelaxedMode::months(Mode::guarantee_weeks)))) {}

  std::uint8_t mode_of_block(Superblock block, PageOrigin opened_for, Tick now) override {
    return relaxed_.mode_of_block(block, opened_for, now);
  }
  std::uint16_t step_mv(const PlacedPage& page) override {
    if (page.block_mode == 0) return kept_->step_mv(page);
    return std::max(relaxed_.step_mv(), relaxed_steps_->step_mv(page));
  }
  bool goes_by_wordline() const override { return kept_->goes_by_wordline(); }
  bool maps_states() const override { return kept_->maps_states(); }
  std::uint8_t state_map(std::span<const std::byte> first, std::span<const std::byte> last) const override {
    return kept_->state_map(first, last);
  }
  std::unique_ptr<BlockGuarantees> make_guarantees(const GuaranteeContext& context) override {
    return relaxed_.make_guarantees(context);
  }

 private:
  RelaxedMode relaxed_;
  const std::unique_ptr<ContentSteps> kept_;
  const std::unique_ptr<ContentSteps> relaxed_steps_;
};

}  // namespace

void register_relaxed_content_writes(WriteModeRegistry& registry) {
  registry.add<RelaxedContentWrites<RR10Week>>("cdber_rr_10week",
                                               "rr_10week, with the step that content allows where it is larger");
  registry.add<RelaxedContentWrites<RR2Week>>("cdber_rr_2week",
                                              "rr_2week, with the step that content allows where it is larger");
}

}  // namespace nandscape::controller
