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

}  // namespace

void register_uniform(EccSelectionRegistry& registry) {
  registry.add<Uniform>("uniform", "all pages use the ordinary code");
}

}  // namespace nandscape::controller
