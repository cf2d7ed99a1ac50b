// SPDX-License-Identifier: Apache-2.0
// `ecc.selection: cdber`: a page is divided into segments, each with a lighter code; its cell states decide how many
// are allowed (content-dependent bit error rates) [Sha, section IV-B2]. The limits are either given, by default those
// of Table III as shares of its 16384 cells, or derived from the drive's own cells and codes.
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "controller/ecc_selection/ecc_selection.h"
#include "controller/ecc_selection/weak_cells.h"

namespace nandscape::controller {

namespace {

enum class LimitsFrom : std::uint8_t { given, cells };
enum class Mapping : std::uint8_t { none, by_share, best };

struct CdberParameters {
  LimitsFrom limits_from = LimitsFrom::given;
  SegmentLimits limits{.lsb = {16221.0 / 16384, 9143.0 / 16384, 2704.0 / 16384},
                       .msb = {1.0, 11846.0 / 16384, 4031.0 / 16384}};
  DataToKeep keeps;
  CoveredSegments covered = CoveredSegments::finest;
  Mapping mapping = Mapping::none;
  ContentKind content = ContentKind::mixed;
  ContentSpread spread;
};

void describe(CdberParameters& p, ParameterVisitor& v) {
  const bool given = p.limits_from == LimitsFrom::given;
  v.unread_if(!given, {"weak_lsb", "weak_msb"}, "limits is cells");
  v.unread_if(given, {"kept_pe_cycles", "kept_days", "page_failure"}, "limits is given");
  v.choice(
      "limits", p.limits_from,
      {{"given", "weak_lsb and weak_msb"},
       {"cells",
        "derived from the misread rates of the drive's cells after kept_pe_cycles and kept_days, and from its codes"}},
      "source of the limits up to which a page may use a code");
  v.reals(
      "weak_lsb", p.limits.lsb, {0, 1}, "",
      "limits for 2, 4, 8, ... segments: each segment of an LSB page must have less than that share of its cells in "
      "state 01 or 00; numbers of segments without a limit are not chosen");
  v.reals("weak_msb", p.limits.msb, {0, 1}, "", "the same for cells in state 01 of an MSB page");
  v.real("kept_pe_cycles", p.keeps.pe_cycles, {0, 1e6}, "", "program/erase cycles after which data must still be kept");
  v.real("kept_days", p.keeps.days, {0, 36500}, "days", "retention time of these data, at 30 C");
  v.real("page_failure", p.keeps.page_failure, {1e-15, 0.1}, "", "probability that a page may fail then");
  v.choice("segments_covered", p.covered,
           {{"finest", "the finest segments, even if the code has fewer"}, {"own", "the code's own segments"}},
           "which segments a code must cover");
  v.choice("state_mapping", p.mapping,
           {{"none", "states are not mapped"},
            {"by_share", "the most frequent state becomes 11, the next ones 10, 01 and 00"},
            {"best", "the one of all 24 mappings that allows the most segments"}},
           "how the states of a wordline are mapped before they are written, if both of its pages are "
           "known");
  v.choice("content", p.content, content_kinds(), "kind of file that pages hold, if the simulation keeps no data");
  v.real("content_spread", p.spread.of_pages, {0, 1}, "", "standard deviation of a state's share between pages");
  v.real("segment_spread", p.spread.of_segments, {0, 1}, "",
         "standard deviation of a state's share between the eighths of a page");
}

class SegmentChooser final : public CodeChooser {
 public:
  SegmentChooser(const CdberParameters& p, const CodeChoiceContext& context)
      : choice_(p.limits_from == LimitsFrom::given ? p.limits : context.limits, context.codes, p.covered),
        mapping_(p.mapping),
        keeps_data_(context.keeps_data),
        weak_(context.keeps_data ? std::nullopt : std::optional(ContentProfile(p.content, p.spread)),
              choice_.finest_segments(), context.scramble) {}

  bool goes_by_place() const override { return true; }
  bool goes_by_wordline() const override { return keeps_data_; }
  bool maps_states() const override { return mapping_ != Mapping::none; }

  PageCoding coding_for(const PageToEncode& page) override {
    if (page.padding) return {};
    weak_.look_at(page);
    // With bytes, one page alone does not determine the states.
    const StateMapping mapping =
        keeps_data_ ? StateMapping() : mapping_for([&](const StateMapping& m) { return most(m, page.type); });
    return {most(mapping, page.type), mapping.number()};
  }

  std::array<PageCoding, 2> codings_for(const PageToEncode& first, const PageToEncode& last) override {
    weak_.look_at(first, last);
    const StateMapping mapping =
        mapping_for([&](const StateMapping& m) { return most(m, first.type) + most(m, last.type); });
    return {{{most(mapping, first.type), mapping.number()}, {most(mapping, last.type), mapping.number()}}};
  }

  // Allowed if the page could have at least as many segments: codes with fewer segments correct more errors.
  bool may_stand(PageCoding coding, const PageToEncode& page) override {
    if (coding.code == ordinary_code) return true;
    weak_.look_at(page);
    return coding.code <= most(StateMapping(coding.state_map), page.type);
  }

 private:
  // The finest code for the page. If its type is not known, the finest that suits both types.
  CodeNumber most(const StateMapping& mapping, std::optional<std::uint32_t> type) {
    std::uint32_t code = ~0u;
    for (const PairedPage as : paired_pages) {
      if (type && *type != static_cast<std::uint32_t>(as)) continue;
      code = std::min(code, choice_.relaxed(as, weak_.shares(as, mapping)));
    }
    return static_cast<CodeNumber>(code);
  }
  // `segments(mapping)` returns how finely pages may be divided with a mapping.
  template <class Segments>
  StateMapping mapping_for(Segments segments) const {
    switch (mapping_) {
      case Mapping::none: break;
      case Mapping::by_share: return mapping_by_share(weak_.counts());
      case Mapping::best:
        return cheapest_mapping([&](const StateMapping& m) { return -static_cast<double>(segments(m)); });
    }
    return StateMapping();
  }

  const SegmentTable choice_;
  const Mapping mapping_;
  const bool keeps_data_;
  WeakCells weak_;
};

class Cdber final : public EccSelection {
 public:
  using Parameters = CdberParameters;
  explicit Cdber(const Parameters& parameters) : parameters_(parameters) {}

  Codes codes() const override { return Codes::segments; }
  std::optional<DataToKeep> limits_of_cells() const override {
    return parameters_.limits_from == LimitsFrom::cells ? std::optional(parameters_.keeps) : std::nullopt;
  }
  bool maps_states() const override { return parameters_.mapping != Mapping::none; }
  std::unique_ptr<CodeChooser> make_chooser(const CodeChoiceContext& context) const override {
    return std::make_unique<SegmentChooser>(parameters_, context);
  }

 private:
  const Parameters parameters_;
};

}  // namespace

void register_cdber(EccSelectionRegistry& registry) {
  registry.add<Cdber>("cdber",
                      "pages are divided into as many segments, each with a lighter code, as their content allows");
}

}  // namespace nandscape::controller
