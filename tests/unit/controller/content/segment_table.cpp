// SPDX-License-Identifier: Apache-2.0
#include "controller/content/segment_table.h"

#include <initializer_list>
#include <stdexcept>
#include <vector>

#include "catch.h"
#include "unit/controller/content/worn_cells.h"

namespace nandscape::controller {
namespace {

constexpr std::uint32_t cells = 16384;

// Codes with the correctable error rates and the decoding times of Table III of Sha et al., for a page failure rate of
// 1e-7.
SegmentTable table(CoveredSegments covered = CoveredSegments::own) {
  return {{{1, 7.345e-4, 41.2}, {2, 5.368e-4, 21.71}, {4, 3.517e-4, 11.25}, {8, 1.830e-4, 5.78}},
          worn_cells(),
          cells,
          covered};
}

// Returns eight segments of a page with the given numbers of weak cells. All weak cells are in state 01.
std::vector<StateCounts> segments(std::initializer_list<std::uint32_t> weak) {
  std::vector<StateCounts> all;
  for (const std::uint32_t cells_01 : weak) all.push_back({{{cells / 8 - cells_01, 0, cells_01, 0}}});
  return all;
}

TEST_CASE("segments: each code is chosen up to the number of weak cells in the table") {
  for (const CoveredSegments covered : {CoveredSegments::finest, CoveredSegments::own}) {
    const SegmentTable codes = table(covered);
    for (const PairedPage page : paired_pages) {
      for (std::uint32_t code = 1; code < codes.codes().size(); ++code) {
        const auto most = codes.most_weak_cells(page, code);
        REQUIRE(most < codes.most_weak_cells(page, code - 1) + (code == 1));
        const std::uint32_t weak = static_cast<std::uint32_t>(most) / 8;
        CHECK(codes.relaxed(page, segments({weak, weak, weak, weak, weak, weak, weak, weak})) == code);
        const std::uint32_t more = weak + 1;
        if (more > cells / 8) continue;
        CHECK(codes.relaxed(page, segments({more, more, more, more, more, more, more, more})) == code - 1);
      }
    }
  }
}

TEST_CASE("segments: the worst segment decides, and averages over coarser segments help") {
  const SegmentTable codes = table();
  const std::uint32_t half = cells / 16, all = cells / 8;
  CHECK(codes.relaxed(PairedPage::msb, segments({0, 0, 0, 0, 0, 0, 0, 0})) == 3);
  CHECK(codes.relaxed(PairedPage::msb, segments({half, 0, 0, 0, 0, 0, 0, 0})) == 2);
  CHECK(codes.relaxed(PairedPage::msb, segments({0, 0, 0, 0, 0, 0, all, all})) == 1);
  CHECK(codes.relaxed(PairedPage::lsb, segments({all, all, all, all, all, all, all, all})) == 0);
  // By the rule of the paper (`finest`), the worst of the eight segments also decides for codes with larger segments.
  const SegmentTable by_worst = table(CoveredSegments::finest);
  CHECK(by_worst.relaxed(PairedPage::msb, segments({0, 0, 0, 0, 0, 0, 0, 0})) == 3);
  CHECK(by_worst.relaxed(PairedPage::msb, segments({half, 0, 0, 0, 0, 0, 0, 0})) == 2);
  CHECK(by_worst.relaxed(PairedPage::msb, segments({0, 0, 0, 0, 0, 0, 0, all})) == 1);
  CHECK(by_worst.relaxed(PairedPage::lsb, segments({0, 0, 0, 0, 0, 0, 0, all})) == 0);
}

TEST_CASE("segments: uniform shares and whole pages are the baseline") {
  const SegmentTable whole({{1, 7.345e-4, 41.2}}, worn_cells(), cells);
  RandomStream random(1, "shares");
  for (int n = 0; n < 1000; ++n) {
    const StateShares shares = random_shares(random);
    const std::vector<StateCounts> alike(8, counts_of(shares, cells / 8));
    for (const PairedPage page : paired_pages) {
      CHECK(whole.relaxed(page, alike) == 0);
      CHECK(whole.optimal(page, alike) == 0);
      const std::uint32_t relaxed = table().relaxed(page, alike), optimal = table().optimal(page, alike);
      CHECK(relaxed <= optimal);
      const double covered = table().codes()[optimal].correctable_ber;
      CHECK(cdber(page, worn_cells(), alike.front().shares()) <= covered);
    }
  }
}

TEST_CASE("segments: counts finer than the finest code give the same result") {
  const SegmentTable codes = table();
  const std::vector<StateCounts> finer(16, {{{500, 200, 200, 124}}});
  const std::vector<StateCounts> fine(8, {{{1000, 400, 400, 248}}});
  for (const PairedPage page : paired_pages) {
    CHECK(codes.relaxed(page, finer) == codes.relaxed(page, fine));
    CHECK(codes.optimal(page, finer) == codes.optimal(page, fine));
  }
}

TEST_CASE("segments: a code with more segments than were counted is not chosen") {
  const std::vector<StateCounts> two(2, {{{cells / 2, 0, 0, 0}}}), one(1, {{{cells, 0, 0, 0}}});
  for (const PairedPage page : paired_pages) {
    CHECK(table().relaxed(page, two) == 1);
    CHECK(table().optimal(page, one) == 0);
  }
}

TEST_CASE("segments: invalid codes and counts are refused") {
  CHECK_THROWS_AS(SegmentTable({}, worn_cells(), cells), std::invalid_argument);
  CHECK_THROWS_AS(SegmentTable({{0, 1e-3, 1}}, worn_cells(), cells), std::invalid_argument);
  CHECK_THROWS_AS(SegmentTable({{1, 1e-3, 1}, {2, 1e-3, 1}, {3, 1e-3, 1}}, worn_cells(), cells), std::invalid_argument);
  CHECK_THROWS_AS(table().optimal(PairedPage::lsb, {}), std::invalid_argument);
}

TEST_CASE("segments: the fastest mapping lets segments in 00 be decoded in the most segments") {
  const SegmentTable codes = table(CoveredSegments::finest);
  const std::vector<StateCounts> worst(8, {{{0, 0, 0, cells / 8}}});
  CHECK(codes.relaxed(PairedPage::lsb, worst) == 0);
  const std::vector<StateCounts> mapped(8, codes.fastest_mapping(worst)(worst.front()));
  CHECK(codes.relaxed(PairedPage::lsb, mapped) == 3);
  CHECK(codes.relaxed(PairedPage::msb, mapped) == 3);
}

// The limits of Sha et al., Table III.
const SegmentLimits table_3{.lsb = {16221.0 / 16384, 9143.0 / 16384, 2704.0 / 16384},
                            .msb = {1.0, 11846.0 / 16384, 4031.0 / 16384}};

TEST_CASE("segments: a page gets the last code whose limit no segment reaches") {
  const SegmentTable choice(table_3, 4, CoveredSegments::finest);
  REQUIRE(choice.finest_segments() == 8);
  const auto lsb = [&](double share) { return choice.relaxed(PairedPage::lsb, std::vector<double>(8, share)); };
  const auto msb = [&](double share) { return choice.relaxed(PairedPage::msb, std::vector<double>(8, share)); };
  // The limits of Table III are numbers of weak cells among 16384. Cells in 01 and 00 are weak for the LSB page, cells
  // in 01 for the MSB page.
  const auto of = [](int weak) { return static_cast<double>(weak) / cells; };
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

TEST_CASE("segments: with given limits, the worst of the segments that a code covers decides") {
  const auto choose = [](CoveredSegments covered, const std::vector<double>& weak) {
    return SegmentTable(table_3, 4, covered).relaxed(PairedPage::msb, weak);
  };
  constexpr auto own = CoveredSegments::own, finest = CoveredSegments::finest;
  for (const CoveredSegments covered : {own, finest}) {
    CHECK(choose(covered, {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1}) == 3);
    CHECK(choose(covered, {0.1, 0.1, 0.1, 0.1, 0.3, 0.1, 0.1, 0.1}) == 2);
    CHECK(choose(covered, {0.0, 0.0, 0.7, 0.7, 0.0, 0.0, 0.0, 0.0}) == 2);
    CHECK(choose(covered, {0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0}) == 0);
  }
  // The share of weak cells in a longer segment is the mean of the shares in its parts.
  CHECK(choose(own, {0.0, 0.0, 0.8, 0.6, 0.0, 0.0, 0.0, 0.0}) == 2);
  CHECK(choose(finest, {0.0, 0.0, 0.8, 0.6, 0.0, 0.0, 0.0, 0.0}) == 1);
  CHECK(choose(own, {0.0, 0.0, 1.0, 0.8, 0.0, 0.0, 0.0, 0.0}) == 1);
  CHECK(choose(finest, {0.0, 0.0, 1.0, 0.8, 0.0, 0.0, 0.0, 0.0}) == 0);
}

TEST_CASE("segments: codes without a limit are not chosen, and limits without a code are ignored") {
  const auto codes = [](std::uint32_t count) {
    const SegmentTable choice(table_3, count, CoveredSegments::finest);
    return choice.relaxed(PairedPage::msb, std::vector<double>(choice.finest_segments(), 0.0));
  };
  CHECK(codes(6) == 3);
  CHECK(codes(2) == 1);
  CHECK(codes(1) == 0);
}

}  // namespace
}  // namespace nandscape::controller
