// SPDX-License-Identifier: Apache-2.0
#include "controller/content/state_mapping.h"

#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "catch.h"
#include "controller/content/cell_states.h"
#include "unit/controller/content/random_pages.h"
#include "unit/controller/content/worn_cells.h"

namespace nandscape::controller {
namespace {

using enum CellState;

TEST_CASE("state mapping: there are 24 different ones, and number 0 is the identity") {
  std::set<std::array<CellState, cell_states>> different;
  for (std::uint8_t number = 0; number < StateMapping::mappings; ++number) {
    const StateMapping mapping(number);
    CHECK(mapping.number() == number);
    different.insert({mapping(s11), mapping(s10), mapping(s01), mapping(s00)});
  }
  CHECK(different.size() == StateMapping::mappings);
  for (const CellState state : {s11, s10, s01, s00}) CHECK(StateMapping()(state) == state);
  CHECK_THROWS_AS(StateMapping(24), std::out_of_range);
  CHECK_THROWS_AS(StateMapping(ByCellState<CellState>{{s11, s11, s01, s00}}), std::invalid_argument);
}

TEST_CASE("state mapping: bytes survive a round trip, and their states are counted as mapped") {
  for (const std::size_t bytes : {1u, 13u, 4096u}) {
    const auto lsb = random_page(bytes, 1), msb = random_page(bytes, 2);
    for (std::uint8_t number = 0; number < StateMapping::mappings; ++number) {
      CAPTURE(bytes, static_cast<int>(number));
      const StateMapping mapping(number);
      auto stored_lsb = lsb, stored_msb = msb;
      mapping.apply(stored_lsb, stored_msb);
      CHECK(count_states(stored_lsb, stored_msb) == mapping(count_states(lsb, msb)));
      mapping.undo(stored_lsb, stored_msb);
      CHECK(stored_lsb == lsb);
      CHECK(stored_msb == msb);
      CHECK(mapping.inverse().inverse() == mapping);
    }
  }
}

TEST_CASE("state mapping: pages are restored one by one, some without the other") {
  const auto lsb = random_page(77, 1), msb = random_page(77, 2);
  int mixed_lsb = 0, mixed_msb = 0, mixed = 0;
  for (std::uint8_t number = 0; number < StateMapping::mappings; ++number) {
    const StateMapping mapping(number);
    auto stored_lsb = lsb, stored_msb = msb;
    mapping.apply(stored_lsb, stored_msb);
    for (const auto& [page, stored, other, written] : {std::tuple(PairedPage::lsb, stored_lsb, stored_msb, lsb),
                                                       std::tuple(PairedPage::msb, stored_msb, stored_lsb, msb)}) {
      CAPTURE(static_cast<int>(number), static_cast<int>(page));
      auto bytes = stored;
      mapping.undo(page, bytes, other);
      CHECK(bytes == written);
      bytes = stored;
      if (mapping.mixes(page)) {
        CHECK_THROWS_AS(mapping.undo(page, bytes, {}), std::invalid_argument);
      } else {
        mapping.undo(page, bytes, {});
        CHECK(bytes == written);
      }
    }
    mixed_lsb += mapping.mixes(PairedPage::lsb);
    mixed_msb += mapping.mixes(PairedPage::msb);
    mixed += mapping.mixes(PairedPage::lsb) || mapping.mixes(PairedPage::msb);
  }
  CHECK(mixed_lsb == 16);
  CHECK(mixed_msb == 16);
  CHECK(mixed == 20);
}

TEST_CASE("state mapping: exchanges are their own inverse, longer cycles are not") {
  const auto lsb = random_page(64, 1), msb = random_page(64, 2);
  int involutions = 0;
  for (std::uint8_t number = 0; number < StateMapping::mappings; ++number) {
    const StateMapping mapping(number);
    auto twice_lsb = lsb, twice_msb = msb;
    for (int times = 0; times < 2; ++times) mapping.apply(twice_lsb, twice_msb);
    const bool undone = twice_lsb == lsb && twice_msb == msb;
    CHECK(undone == (mapping.inverse() == mapping));
    involutions += undone;
  }
  // Permutations of four states: the identity, six that exchange one pair, and three that exchange two pairs.
  CHECK(involutions == 10);
}

TEST_CASE("state mapping: pages of different sizes are refused") {
  auto lsb = random_page(16, 1), msb = random_page(8, 2);
  CHECK_THROWS_AS(StateMapping(1).apply(lsb, msb), std::invalid_argument);
}

TEST_CASE("state mapping: the rule of Figure 7 reproduces its example") {
  const StateMapping mapping = mapping_by_share({{{20, 30, 40, 10}}});
  CHECK(mapping(s01) == s11);
  CHECK(mapping(s10) == s10);
  CHECK(mapping(s11) == s01);
  CHECK(mapping(s00) == s00);
  CHECK(mapping_by_share({{{25, 25, 25, 25}}}).number() == 0);
}

}  // namespace
}  // namespace nandscape::controller
