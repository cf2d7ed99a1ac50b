// SPDX-License-Identifier: Apache-2.0
// `ecc.selection: cdber`: a page is divided into as many segments, each with a lighter code, as the states that its
// content gives to cells allow (content-dependent bit error rates) [Sha, section IV-B2]. The limits are those of
// Table III, as shares of the 16384 cells that it counts.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>

#include "controller/ecc_selection/ecc_selection.h"
#include "controller/ecc_selection/segment_choice.h"
#include "controller/ecc_selection/weak_cells.h"

namespace nandscape::controller {

namespace {

struct CdberParameters {
  SegmentChoice::Limits limits{.lsb = {16221.0 / 16384, 9143.0 / 16384, 2704.0 / 16384},
                               .msb = {1.0, 11846.0 / 16384, 4031.0 / 16384}};
  ContentKind content = ContentKind::mixed;
  ContentSpread spread;
};

void describe(CdberParameters& p, ParameterVisitor& v) {
  v.reals("weak_lsb", p.limits.lsb, {0, 1}, "",
          "of pages with 2, 4, 8, ... segments: in each segment of an LSB page less than that share of the cells is in "
          "state 01 or 00; counts that are not given are not chosen");
  v.reals("weak_msb", p.limits.msb, {0, 1}, "", "likewise, of cells in state 01 in an MSB page");
  v.choice("content", p.content, content_kinds(), "which files pages are of where the simulation keeps no data");
  v.real("content_spread", p.spread.of_pages, {0, 1}, "", "standard deviation of a state's share from page to page");
  v.real("segment_spread", p.spread.of_segments, {0, 1}, "", "likewise, between the eighths of a page");
}

class SegmentChooser final : public CodeChooser {
 public:
  SegmentChooser(const CdberParameters& p, const CodeChoiceContext& context)
      : choice_(p.limits, context.codes),
        weak_(context.keeps_data ? std::nullopt : std::optional(ContentProfile(p.content, p.spread)),
              choice_.finest_segments(), context.scramble) {}

  bool goes_by_place() const override { return true; }

  CodeNumber code_for(const PageToEncode& page) override {
    if (page.padding) return ordinary_code;
    if (page.type) return most(page, *page.type);
    return std::min(most(page, lsb_page), most(page, msb_page));
  }

  // Whatever the code is of, those before it correct more.
  bool may_stand(CodeNumber code, const PageToEncode& page) override {
    return code == ordinary_code || code <= most(page, page.type.value());
  }

 private:
  // In the order of the wordline (cell_states.h).
  static constexpr std::uint32_t lsb_page = 0;
  static constexpr std::uint32_t msb_page = 1;

  CodeNumber most(const PageToEncode& page, std::uint32_t type) {
    return static_cast<CodeNumber>(type == lsb_page ? choice_.of_lsb_page(weak_.weak_if_lsb(page))
                                                    : choice_.of_msb_page(weak_.weak_if_msb(page)));
  }

  const SegmentChoice choice_;
  WeakCells weak_;
};

class Cdber final : public EccSelection {
 public:
  using Parameters = CdberParameters;
  explicit Cdber(const Parameters& parameters) : parameters_(parameters) {}

  Codes codes() const override { return Codes::segments; }
  std::unique_ptr<CodeChooser> make_chooser(const CodeChoiceContext& context) const override {
    return std::make_unique<SegmentChooser>(parameters_, context);
  }

 private:
  const Parameters parameters_;
};

}  // namespace

void register_cdber(EccSelectionRegistry& registry) {
  registry.add<Cdber>("cdber", "as many segments, each with a lighter code, as the content of the page allows");
}

}  // namespace nandscape::controller
