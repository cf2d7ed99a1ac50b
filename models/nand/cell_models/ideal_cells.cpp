// SPDX-License-Identifier: Apache-2.0
// No cells at all (`simulation.cells: ideal`).
#include "nand/cell_models/cell_model.h"

namespace nandscape::nand {

namespace {

class IdealModel final : public CellModel {
 public:
  using Parameters = NoParameters;
  explicit IdealModel(const Parameters&) {}

  bool has_errors() const override { return false; }
  std::unique_ptr<CellArray> make_cells(const CellDevice&, std::uint64_t, std::string_view,
                                        std::unique_ptr<InitialAges>) const override {
    return nullptr;
  }
};

}  // namespace

void register_ideal(CellModelRegistry& registry) { registry.add<IdealModel>("ideal", "every read is free of errors"); }

}  // namespace nandscape::nand
