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

// Correctable rates and times of Table III, for a page failure rate of 1e-7.
SegmentTable table(CoveredSegments covered = CoveredSegments::own) {
  return {{{1, 7.345e-4, 41.2}, {2, 5.368e-4, 21.71}, {4, 3.517e-4, 11.25}, {8, 1.830e-4, 5.78}},
          worn_cells(),
          cells,
          covered};
}

// Eight segments of a page with the given numbers of weak cells, all of them in 01.
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
  // By the paper's rule the worst of eight also counts for codes of larger segments.
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

}  // namespace
}  // namespace nandscape::controller
