// SPDX-License-Identifier: Apache-2.0
#include "controller/ecc_selection/segment_choice.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "assign_parameters.h"
#include "catch.h"
#include "controller/ecc_selection/ecc_selection.h"
#include "controller/ecc_selection/weak_cells.h"
#include "controller/mapping/page_tag.h"
#include "core/random.h"
#include "unit/controller/content/worn_cells.h"

namespace nandscape::controller {
namespace {

// Sha, Table III.
const SegmentLimits table_3{.lsb = {16221.0 / 16384, 9143.0 / 16384, 2704.0 / 16384},
                            .msb = {1.0, 11846.0 / 16384, 4031.0 / 16384}};

TEST_CASE("a page gets the last code whose limit no segment reaches") {
  const SegmentChoice choice(table_3, 4, CoveredSegments::finest);
  REQUIRE(choice.finest_segments() == 8);
  const auto lsb = [&](double share) { return choice.choose(PairedPage::lsb, std::vector<double>(8, share)); };
  const auto msb = [&](double share) { return choice.choose(PairedPage::msb, std::vector<double>(8, share)); };
  // Share of weak cells among 16384: cells in 01 and 00 for the LSB page, cells in 01 for the MSB page.
  const auto of = [](int cells) { return cells / 16384.0; };
  CHECK(lsb(of(16221)) == 0);
  CHECK(lsb(of(16220)) == 1);
  CHECK(lsb(of(9143)) == 1);
  CHECK(lsb(of(9142)) == 2);
  CHECK(lsb(of(2704)) == 2);
  CHECK(lsb(of(2703)) == 3);
  CHECK(msb(of(16384)) == 0);
  CHECK(msb(of(16383)) == 1);
  CHECK(msb(of(11846)) == 1);
  CHECK(msb(of(11845)) == 2);
  CHECK(msb(of(4031)) == 2);
  CHECK(msb(of(4030)) == 3);
}

TEST_CASE("the worst of the segments that a code covers decides") {
  const auto choose = [](CoveredSegments covered, const std::vector<double>& weak) {
    return SegmentChoice(table_3, 4, covered).choose(PairedPage::msb, weak);
  };
  constexpr auto own = CoveredSegments::own, finest = CoveredSegments::finest;
  for (const CoveredSegments covered : {own, finest}) {
    CHECK(choose(covered, {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1}) == 3);
    CHECK(choose(covered, {0.1, 0.1, 0.1, 0.1, 0.3, 0.1, 0.1, 0.1}) == 2);
    CHECK(choose(covered, {0.0, 0.0, 0.7, 0.7, 0.0, 0.0, 0.0, 0.0}) == 2);
    CHECK(choose(covered, {0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0}) == 0);
  }
  // Longer segments have the mean of their parts.
  CHECK(choose(own, {0.0, 0.0, 0.8, 0.6, 0.0, 0.0, 0.0, 0.0}) == 2);
  CHECK(choose(finest, {0.0, 0.0, 0.8, 0.6, 0.0, 0.0, 0.0, 0.0}) == 1);
  CHECK(choose(own, {0.0, 0.0, 1.0, 0.8, 0.0, 0.0, 0.0, 0.0}) == 1);
  CHECK(choose(finest, {0.0, 0.0, 1.0, 0.8, 0.0, 0.0, 0.0, 0.0}) == 0);
}

TEST_CASE("codes without a limit are not chosen, and limits without a code are ignored") {
  const auto codes = [](std::uint32_t count) {
    const SegmentChoice choice(table_3, count, CoveredSegments::finest);
    return choice.choose(PairedPage::msb, std::vector<double>(choice.finest_segments(), 0.0));
  };
  CHECK(codes(6) == 3);
  CHECK(codes(2) == 1);
  CHECK(codes(1) == 0);
}

// --- the policy

struct Chooser {
  explicit Chooser(bool keeps_data, ScrambleBytes scramble = {})
      : chooser(
            ecc_selection_registry().make({"cdber", nullptr})->make_chooser({4, {}, keeps_data, std::move(scramble)})) {
  }

  PageToEncode page(std::optional<std::uint32_t> type) const { return {.tag = tag, .data = bytes, .type = type}; }

  std::unique_ptr<CodeChooser> chooser;
  std::array<std::uint64_t, 2> tag = {77, 5};
  std::vector<std::byte> bytes = std::vector<std::byte>(4096, std::byte{0x0f});
};

TEST_CASE("with bytes, an unplaced page gets only a code that is safe in every page type") {
  Chooser c(true);
  constexpr std::uint32_t lsb = 0, msb = 1;
  CHECK(c.chooser->coding_for(c.page(msb)).code == 2);  // half of the bits are 0
  CHECK(c.chooser->coding_for(c.page(lsb)).code == 0);
  CHECK(c.chooser->coding_for(c.page(std::nullopt)).code == 0);
  CHECK(c.chooser->may_stand({2, 0}, c.page(msb)));
  CHECK(c.chooser->may_stand({1, 0}, c.page(msb)));
  CHECK_FALSE(c.chooser->may_stand({3, 0}, c.page(msb)));
  CHECK_FALSE(c.chooser->may_stand({1, 0}, c.page(lsb)));
  CHECK(c.chooser->may_stand({0, 0}, c.page(lsb)));
}

TEST_CASE("bytes count as they are stored on flash") {
  const auto invert = [](std::uint64_t seed, std::span<std::byte> bytes) {
    CHECK(seed == 77);
    for (std::byte& byte : bytes) byte = ~byte;
  };
  Chooser c(true, invert);
  c.bytes.assign(4096, std::byte{0x00});
  PageToEncode page = c.page(1);
  CHECK(c.chooser->coding_for(page).code == 3);
  CHECK(c.bytes.front() == std::byte{0x00});
  page.encoded = true;  // the bytes are already as on flash
  CHECK(c.chooser->coding_for(page).code == 0);
}

TEST_CASE("without bytes, data keep their content wherever they are moved, and a new version has another") {
  Chooser c(false);
  std::array<int, 4> codes{};
  for (std::uint64_t lpn = 0; lpn < 1000; ++lpn) {
    c.tag = {lpn, 3};
    const CodeNumber lsb = c.chooser->coding_for(c.page(0)).code, msb = c.chooser->coding_for(c.page(1)).code;
    CHECK(c.chooser->coding_for(c.page(std::nullopt)).code == std::min(lsb, msb));
    set_coding(c.tag, 2, 17);
    set_stamp(c.tag, 99);
    c.tag[0] |= lost_bit;
    CHECK(c.chooser->coding_for(c.page(0)).code == lsb);
    ++codes[lsb];
    ++codes[msb];
  }
  // Hardly any page of Table I is as bad as the worst case.
  CHECK(codes[0] < 20);
  CHECK(codes[1] > 100);
  CHECK(codes[2] > 100);
  CHECK(codes[3] > 100);
}

// The table used to study content-dependent writing (content/segment_table.h) agrees, for whole numbers of cells.
TEST_CASE("pages get the code that the segment table gives them") {
  constexpr std::uint32_t cells = 32768, pages = 2000;
  const SegmentTable table({{1, 7e-4}, {2, 5e-4}, {4, 3.5e-4}, {8, 1.8e-4}}, worn_cells(), cells);
  SegmentLimits limits;
  for (std::uint32_t code = 1; code < 4; ++code) {
    limits.lsb.push_back((table.most_weak_cells(PairedPage::lsb, code) + 1.0) / cells);
    limits.msb.push_back((table.most_weak_cells(PairedPage::msb, code) + 1.0) / cells);
  }
  const SegmentChoice choice(limits, 4, CoveredSegments::finest);
  WeakCells weak(ContentProfile(ContentKind::mixed), 8, {});
  const ContentProfile profile(ContentKind::mixed);
  std::array<std::array<std::uint32_t, 4>, 2> chosen{};
  std::uint32_t others = 0;
  for (std::uint64_t lpn = 0; lpn < pages; ++lpn) {
    const std::array<std::uint64_t, 2> tag = {lpn, 7};
    std::array<StateShares, 8> shares;
    profile.segments(mix64(lpn) ^ 7, shares);
    std::array<StateCounts, 8> counts;
    std::ranges::transform(shares, counts.begin(), [](const StateShares& s) { return counts_of(s, cells / 8); });
    weak.look_at({.tag = tag});
    for (const PairedPage page : paired_pages) {
      const std::uint32_t code = choice.choose(page, weak.shares(page, StateMapping()));
      others += code != table.relaxed(page, counts);
      ++chosen[static_cast<std::size_t>(page)][code];
    }
  }
  // Shares are not rounded to cells.
  CHECK(others <= pages / 200);
  CHECK(chosen[0][2] > pages / 20);
  CHECK(chosen[1][3] > pages / 20);
}

TEST_CASE("mapped states have fewer weak cells, and codings tell how they are mapped") {
  const auto with = [](const std::string& mapping) {
    auto parameters = std::shared_ptr<VariantParameters>(ecc_selection_registry().make_parameters("cdber"));
    ParameterAssigner assign({{"state_mapping", mapping}});
    parameters->visit(assign);
    return ecc_selection_registry().make({"cdber", parameters})->make_chooser({4, {}, false, {}});
  };
  const auto plain = with("none"), by_share = with("by_share"), best = with("best");
  std::uint32_t codes_plain = 0, codes_by_share = 0, codes_best = 0, mapped = 0;
  for (std::uint64_t lpn = 0; lpn < 500; ++lpn) {
    const std::array<std::uint64_t, 2> tag = {lpn, 1};
    for (const std::uint32_t type : {0u, 1u}) {
      const PageToEncode page{.tag = tag, .type = type};
      const PageCoding as_it_is = plain->coding_for(page), chosen = best->coding_for(page);
      CHECK(as_it_is.state_map == 0);
      CHECK(chosen.code >= as_it_is.code);
      CHECK(chosen.code >= by_share->coding_for(page).code);
      CHECK(chosen.state_map < StateMapping::mappings);
      CHECK(best->may_stand(chosen, page));
      // States are not mapped without a gain.
      CHECK((chosen.state_map == 0 || chosen.code > as_it_is.code));
      mapped += chosen.state_map != 0;
      codes_plain += as_it_is.code;
      codes_by_share += by_share->coding_for(page).code;
      codes_best += chosen.code;
    }
  }
  CHECK(mapped > 50);
  CHECK(codes_by_share > codes_plain);
  CHECK(codes_best > codes_by_share);
}

TEST_CASE("tags keep the code and the state mapping beside their other fields") {
  std::array<std::uint64_t, 4> tag = {77, 5 | frontier_mark_bit, 78, most_version};
  set_stamp(tag, 1234);
  set_coding(tag, 5, 23);
  CHECK(code_in(tag) == 5);
  CHECK(state_map_in(tag) == 23);
  set_stamp(tag, 99);
  CHECK(code_in(std::span(tag).subspan(2)) == 5);
  CHECK(state_map_in(std::span(tag).subspan(2)) == 23);
  set_coding(tag, 0, 1);
  CHECK(code_in(tag) == 0);
  CHECK(state_map_in(tag) == 1);
  CHECK(version_in(tag[1]) == 5);
  CHECK(version_in(tag[3]) == most_version);
  CHECK(stamp_in(tag[1]) == 99);
  CHECK((tag[1] & frontier_mark_bit) != 0);
  CHECK(tag[0] == 77);
}

}  // namespace
}  // namespace nandscape::controller
