// SPDX-License-Identifier: Apache-2.0
// `ecc.selection: by_source`: what the host writes is mostly written over soon, and is protected by a code that is
// quickly encoded; what the drive writes in the background is to last, and is protected by a stronger one [Liu 2012,
// section 5.1 and figure 12]. So host writes do not wait for the encoder of the stronger code.
#include "controller/ecc_selection/ecc_selection.h"

namespace nandscape::controller {

namespace {

constexpr CodeNumber background_code = 1;

class BySource final : public EccSelection, public CodeChooser {
 public:
  using Parameters = NoParameters;
  explicit BySource(const Parameters&) {}

  Codes codes() const override { return Codes::background; }
  std::unique_ptr<CodeChooser> make_chooser(const CodeChoiceContext&) const override {
    return std::make_unique<BySource>(NoParameters{});
  }
  PageCoding coding_for(const PageToEncode& page) override {
    return {page.background && !page.padding ? background_code : ordinary_code};
  }
};

}  // namespace

void register_by_source(EccSelectionRegistry& registry) {
  registry.add<BySource>("by_source", "what the host writes is of the ordinary code, all else of that of background");
}

}  // namespace nandscape::controller
