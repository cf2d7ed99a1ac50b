// SPDX-License-Identifier: Apache-2.0
// Retention relaxation combined with content-dependent writes: the step of a page depends on its content and on its
// retention time. A page in a block kept for weeks takes the largest step that its content allows for these weeks, but
// no smaller one than retention relaxation alone. All other pages take the largest step that their content allows for
// the normal retention time.
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
        kept_(context.facts.content_kept_for(context.facts.content.parameters.kept_months)),
        relaxed_steps_(context.facts.content_kept_for(RelaxedMode::months(Mode::guarantee_weeks))) {}

  std::uint8_t mode_of_block(Superblock block, PageOrigin opened_for, Tick now) override {
    return relaxed_.mode_of_block(block, opened_for, now);
  }
  std::uint16_t step_mv(const PlacedPage& page) override {
    if (page.block_mode == 0) return kept_.step_mv(page);
    return std::max(relaxed_.step_mv(), relaxed_steps_.step_mv(page));
  }
  bool goes_by_wordline() const override { return kept_.goes_by_wordline(); }
  bool maps_states() const override { return kept_.maps_states(); }
  std::uint8_t state_map(std::span<const std::byte> first, std::span<const std::byte> last) const override {
    return kept_.state_map(first, last);
  }
  std::unique_ptr<BlockGuarantees> make_guarantees(const GuaranteeContext& context) override {
    return relaxed_.make_guarantees(context);
  }

 private:
  RelaxedMode relaxed_;
  const ContentSteps kept_;
  const ContentSteps relaxed_steps_;
};

}  // namespace

void register_relaxed_content_writes(WriteModeRegistry& registry) {
  registry.add<RelaxedContentWrites<RR10Week>>("cdber_rr_10week",
                                               "rr_10week, or a larger step if the content allows it");
  registry.add<RelaxedContentWrites<RR2Week>>("cdber_rr_2week", "rr_2week, or a larger step if the content allows it");
}

}  // namespace nandscape::controller
