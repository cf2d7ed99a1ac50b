// SPDX-License-Identifier: Apache-2.0
// Retention relaxation [Liu et al., FAST 2012]: host writes use a larger ISPP step, which is faster but keeps data for
// a shorter time. Background writes are programmed as usual.
#include "controller/retention/relaxed_mode.h"

namespace nandscape::controller {

namespace {

template <class Mode>
class RelaxedWrites final : public WriteModePolicy {
 public:
  struct Parameters : RelaxedWriteParameters {
    Parameters() : RelaxedWriteParameters{Mode::step_ratio} {}
  };

  RelaxedWrites(const Parameters& p, const WriteModeContext& context) : relaxed_(p, Mode::guarantee_weeks, context) {}

  std::uint8_t mode_of_block(Superblock block, PageOrigin opened_for, Tick now) override {
    return relaxed_.mode_of_block(block, opened_for, now);
  }
  std::uint16_t step_mv(const PlacedPage& page) override { return page.block_mode == 0 ? 0 : relaxed_.step_mv(); }
  std::unique_ptr<BlockGuarantees> make_guarantees(const GuaranteeContext& context) override {
    return relaxed_.make_guarantees(context);
  }

 private:
  RelaxedMode relaxed_;
};

}  // namespace

void register_relaxed_writes(WriteModeRegistry& registry) {
  registry.add<RelaxedWrites<RR10Week>>(
      "rr_10week", "host writes are fast and kept for 10 weeks, and reprogrammed within the second five");
  registry.add<RelaxedWrites<RR2Week>>(
      "rr_2week", "host writes are fast and kept for 2 weeks, and reprogrammed within the second one");
}

}  // namespace nandscape::controller
