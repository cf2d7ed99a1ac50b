// SPDX-License-Identifier: Apache-2.0
// The policy `ecc.selection: cdber`. It divides a page into segments, each of which is a codeword. The more segments a
// page has, the less parity each of them has. The number of segments that is allowed depends on the states of the
// page's cells, by content-dependent bit error rates [Sha, section IV-B2]. The limits are either given in the
// configuration or derived from the drive's own cells and codes. The default limits are those of Table III in the
// paper, divided by the 16384 cells of the paper's page.
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "controller/content/cdber.h"
#include "controller/content/cell_states.h"
#include "controller/content/content_profile.h"
#include "controller/content/state_mapping.h"
#include "controller/ecc_selection/ecc_selection.h"

namespace nandscape::controller {

namespace {

// Computes the share of weak cells in each part of a page, as far as it is known when the page is encoded.
//
// In the paper's natural binary coding (mlc_13), a cell is in state 01 or 00 if its MSB bit is 0, and it is in 01 if
// its LSB bit is also 1. The bytes of only one page of a wordline give the following bounds:
//
//   MSB page   The number of its zero bits is an upper bound on the number of cells in 01.
//   LSB page   There is no bound: any cell may be in 01 or 00, depending on the MSB page, which is written later.
//
// The bytes of both pages together give the states of all cells, and the states can then be mapped to other states
// before they are counted. If the simulation keeps no bytes, the content of both pages is generated from a profile of
// files (content_profile.h).
class WeakCells {
 public:
  // If `profile` is empty, weak cells are counted in the bytes of the page as they are stored on flash, which is after
  // `scramble`.
  WeakCells(std::optional<ContentProfile> profile, std::uint32_t parts, ScrambleBytes scramble);

  // Sets the page, or both pages of a wordline, for which later calls of shares() compute their result.
  void look_at(const PageToEncode& page);
  void look_at(const PageToEncode& lsb, const PageToEncode& msb);
  // Returns how many cells of the whole wordline are in each state, in an arbitrary unit. Requires a profile, or a
  // preceding call of look_at() with both pages.
  StateCounts counts() const;
  // Returns the share of weak cells in each part of the page if it is used as a page of type `as` in its wordline and
  // its states are mapped by `mapping`. The mapping is ignored if the states are not known. The result is valid until
  // the next call.
  std::span<const double> shares(PairedPage as, const StateMapping& mapping);

 private:
  // Returns the bytes of the page as they are stored on flash. Uses `scrambled` as the buffer if they must be scrambled
  // first.
  std::span<const std::byte> as_stored(const PageToEncode& page, std::vector<std::byte>& scrambled) const;
  void count_zeroes(const PageToEncode& page);

  const std::optional<ContentProfile> profile_;
  const ScrambleBytes scramble_;
  bool states_known_ = false;
  std::vector<StateShares> states_;
  std::vector<StateCounts> counts_;
  std::vector<double> zeroes_;
  std::vector<double> weak_;
  std::vector<std::byte> scrambled_;
  std::vector<std::byte> other_scrambled_;
};

WeakCells::WeakCells(std::optional<ContentProfile> profile, std::uint32_t parts, ScrambleBytes scramble)
    : profile_(profile),
      scramble_(std::move(scramble)),
      states_(parts),
      counts_(profile_ ? 0 : parts),
      zeroes_(profile_ ? 0 : parts),
      weak_(parts) {}

void WeakCells::look_at(const PageToEncode& page) {
  states_known_ = profile_.has_value();
  if (profile_) {
    profile_->segments(content_key(lpn_in(page.tag[0]), version_in(page.tag[1])), states_);
  } else {
    count_zeroes(page);
  }
}

void WeakCells::look_at(const PageToEncode& lsb, const PageToEncode& msb) {
  states_known_ = true;
  count_segments(as_stored(lsb, scrambled_), as_stored(msb, other_scrambled_), counts_);
  for (std::size_t k = 0; k < counts_.size(); ++k) states_[k] = counts_[k].shares();
}

std::span<const std::byte> WeakCells::as_stored(const PageToEncode& page, std::vector<std::byte>& scrambled) const {
  if (page.encoded || !scramble_) return page.data;
  scrambled.assign(page.data.begin(), page.data.end());
  scramble_(scrambler_key(page.tag.front()), scrambled);
  return scrambled;
}

void WeakCells::count_zeroes(const PageToEncode& page) {
  const std::span<const std::byte> bytes = as_stored(page, scrambled_);
  const std::size_t part = bytes.size() / zeroes_.size();
  for (std::size_t k = 0; k < zeroes_.size(); ++k) {
    int ones = 0;
    for (const std::byte byte : bytes.subspan(k * part, part)) ones += std::popcount(std::to_integer<unsigned>(byte));
    zeroes_[k] = 1 - ones / (8.0 * static_cast<double>(part));
  }
}

StateCounts WeakCells::counts() const {
  // Number of cells in each part; it sets the resolution of the counts.
  constexpr std::uint32_t cells_of_part = 1 << 16;
  StateCounts counts;
  for (const StateShares& part : states_) counts += counts_of(part, cells_of_part);
  return counts;
}

std::span<const double> WeakCells::shares(PairedPage as, const StateMapping& mapping) {
  if (!states_known_) {
    if (as == PairedPage::msb) return zeroes_;
    std::ranges::fill(weak_, 1.0);
    return weak_;
  }
  for (std::size_t k = 0; k < weak_.size(); ++k) {
    StateShares stored;
    for (std::size_t state = 0; state < cell_states; ++state) {
      stored[mapping(static_cast<CellState>(state))] = states_[k].of[state];
    }
    weak_[k] = weak_cells(as, stored);
  }
  return weak_;
}

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
    // If the simulation keeps bytes, the bytes of one page do not determine the states, so they cannot be mapped.
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

  // A page may keep its coding if the code has at most as many segments as allowed, because codes with fewer segments
  // correct more errors.
  bool may_stand(PageCoding coding, const PageToEncode& page) override {
    if (coding.code == ordinary_code) return true;
    weak_.look_at(page);
    return coding.code <= most(StateMapping(coding.state_map), page.type);
  }

 private:
  // Returns the code with the most segments that is allowed for the page. If the type of the page is not known, the
  // code must be allowed for both types.
  CodeNumber most(const StateMapping& mapping, std::optional<std::uint32_t> type) {
    std::uint32_t code = ~0u;
    for (const PairedPage as : paired_pages) {
      if (type && *type != static_cast<std::uint32_t>(as)) continue;
      code = std::min(code, choice_.relaxed(as, weak_.shares(as, mapping)));
    }
    return static_cast<CodeNumber>(code);
  }
  // Returns the state mapping for the current pages. segments(mapping) must return a number that grows with the number
  // of segments that are allowed with the mapping.
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
