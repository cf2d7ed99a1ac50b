// SPDX-License-Identifier: Apache-2.0
#include "controller/content/cdber.h"

#include "catch.h"
#include "unit/controller/content/worn_cells.h"

namespace nandscape::controller {
namespace {

using enum CellState;

// Returns error rates that are different powers of ten, so that the digits of a sum show how often each rate was added.
StateErrorRates telling_rates() { return {{{0, 10, 1000, 100000}}, {{1, 100, 10000, 0}}}; }

TEST_CASE("content: equations 4 and 5 sum the errors at each page's read levels") {
  const StateShares shares{{1, 2, 3, 4}};
  CHECK(cdber(PairedPage::msb, telling_rates(), shares) == 2 * 100 + 3 * 1000);
  CHECK(cdber(PairedPage::lsb, telling_rates(), shares) ==
        1 * 1 + 2 * 10 + 2 * 100 + 3 * 1000 + 3 * 10000 + 4 * 100000);
}

TEST_CASE("content: equations 6 and 7 run from the rate without weak cells to the rate of weak cells only") {
  const StateErrorRates rates = worn_cells();
  CHECK(relaxed_cdber(PairedPage::msb, rates, 0) == rates.right[s10]);
  CHECK(relaxed_cdber(PairedPage::msb, rates, 1) == Approx(rates.left[s01]));
  CHECK(relaxed_cdber(PairedPage::lsb, rates, 0) == rates.right[s11]);
  CHECK(relaxed_cdber(PairedPage::lsb, rates, 1) == Approx(rates.left[s00]));
  CHECK(weak_cells(PairedPage::msb, ByCellState<int>{{1, 20, 300, 4000}}) == 300);
  CHECK(weak_cells(PairedPage::lsb, ByCellState<int>{{1, 20, 300, 4000}}) == 4300);
}

TEST_CASE("content: the relaxed CDBER is never below the exact one for rates in the expected order") {
  RandomStream random(1, "shares");
  const StateErrorRates rates = worn_cells();
  REQUIRE(bounded_by_relaxed(rates));
  for (int n = 0; n < 10000; ++n) {
    const StateShares shares = random_shares(random);
    for (const PairedPage page : paired_pages) {
      CHECK(relaxed_cdber(page, rates, weak_cells(page, shares)) >= cdber(page, rates, shares) * (1 - 1e-12));
    }
  }
}

TEST_CASE("content: for rates in another order the relaxed CDBER is no bound, and the check reports it") {
  StateErrorRates rates = worn_cells();
  rates.right[s01] = 4 * rates.right[s01];
  CHECK_FALSE(bounded_by_relaxed(rates));
  const StateShares only_01{{0, 0, 1, 0}};
  CHECK(relaxed_cdber(PairedPage::lsb, rates, 1) < cdber(PairedPage::lsb, rates, only_01));
}

TEST_CASE("content: the largest share is where the relaxed CDBER meets the correctable rate") {
  const StateErrorRates rates = worn_cells();
  for (const PairedPage page : paired_pages) {
    const double share = most_weak_share(page, rates, 3e-4);
    CHECK(relaxed_cdber(page, rates, share) == Approx(3e-4));
    CHECK(most_weak_share(page, rates, 1e-3) == 1);
    CHECK(most_weak_share(page, rates, 1e-5) < 0);
  }
}

}  // namespace
}  // namespace nandscape::controller
