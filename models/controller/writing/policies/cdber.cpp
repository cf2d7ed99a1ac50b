// SPDX-License-Identifier: Apache-2.0
#include "controller/writing/content_steps.h"
#include "controller/writing/write_mode.h"

namespace nandscape::controller {

namespace {

// Programs every page with the largest step that its content bears over the time for which all data are kept.
class ContentDependentWrites final : public WriteModePolicy {
 public:
  using Parameters = NoParameters;
  ContentDependentWrites(const Parameters&, const WriteModeContext& context)
      : steps_(context.facts.content_kept_for(context.facts.content.parameters.kept_months)) {}

  std::uint16_t step_mv(const PlacedPage& page) override { return steps_.step_mv(page); }
  bool goes_by_wordline() const override { return steps_.goes_by_wordline(); }
  bool maps_states() const override { return steps_.maps_states(); }
  std::uint8_t state_map(std::span<const std::byte> first, std::span<const std::byte> last) const override {
    return steps_.state_map(first, last);
  }

 private:
  const ContentSteps steps_;
};

}  // namespace

void register_content_dependent_writes(WriteModeRegistry& registry) {
  registry.add<ContentDependentWrites>(
      "cdber", "as fast as the page's content allows, by content-dependent bit error rates (controller.content)");
}

}  // namespace nandscape::controller
