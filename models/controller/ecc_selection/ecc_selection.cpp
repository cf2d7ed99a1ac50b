// SPDX-License-Identifier: Apache-2.0
#include "controller/ecc_selection/ecc_selection.h"

namespace nandscape::controller {

namespace {

class Uniform final : public EccSelection {
 public:
  using Parameters = NoParameters;
  explicit Uniform(const Parameters&) {}

  Codes codes() const override { return Codes::ordinary; }
  std::unique_ptr<CodeChooser> make_chooser(const CodeChoiceContext&) const override { return nullptr; }
};

// The policy `ecc.selection: by_source` [Liu 2012, section 5.1 and figure 12]. Most data of the host are soon
// overwritten, so they are encoded with a code that encodes quickly, and host writes do not wait for the encoder of the
// stronger code. Data that the drive writes in the background live longer, and are encoded with the stronger code.
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

// To add a policy, add its class to this file and register it below. Larger policies have separate files and are
// declared here.
void register_cdber(EccSelectionRegistry& registry);

EccSelectionRegistry& ecc_selection_registry() {
  static EccSelectionRegistry registry("ecc.selection", [](EccSelectionRegistry& r) {
    r.add<Uniform>("uniform", "all pages use the ordinary code");
    r.add<BySource>("by_source", "host writes use the ordinary code, all other pages the code of ecc.background");
    register_cdber(r);
  });
  return registry;
}

}  // namespace nandscape::controller
