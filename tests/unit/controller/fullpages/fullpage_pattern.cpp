// SPDX-License-Identifier: Apache-2.0
#include "controller/fullpages/fullpage_pattern.h"

#include <algorithm>
#include <set>
#include <vector>

#include "catch.h"
#include "controller/addresses/flash_layout.h"

namespace nandscape::controller {
namespace {

// Blocks have 48 layers with one wordline of three pages each. Consecutive blocks start in consecutive quarters of the
// layers.
constexpr std::uint32_t rows = 144;

std::uint32_t layer_of(std::uint32_t row, std::uint32_t member) { return (row / 3 + 12 * member) % 48; }

TEST_CASE("the units of a fullpage share neither blocks nor bitlines, and lie in the configured layers") {
  const FullpagePattern::LayerGroups groups =
      GENERATE(FullpagePattern::LayerGroups{0, 2, 1, 3}, FullpagePattern::LayerGroups{3, 1, 0, 2});
  const FullpagePattern pattern(groups, rows);
  for (std::uint32_t row = 0; row < rows; ++row) {
    for (std::uint32_t fullpage = 0; fullpage < layer_quarters; ++fullpage) {
      std::set<std::uint32_t> members, quarters;
      for (std::uint32_t unit = 0; unit < layer_quarters; ++unit) {
        const std::uint32_t member = pattern.member(row, unit);
        CHECK(layer_of(row, member) / 12 == groups[unit]);
        CHECK(pattern.unit(row, member) == unit);
        const std::uint32_t quarter = FullpagePattern::quarter(fullpage, unit);
        CHECK(FullpagePattern::fullpage(quarter, unit) == fullpage);
        members.insert(member);
        quarters.insert(quarter);
      }
      CHECK(members.size() == layer_quarters);
      CHECK(quarters.size() == layer_quarters);
    }
  }
}

// Section III-B1 of the paper by Nie et al.: "the first fullpage chooses subpages from layers 0, 12, 24, 36; while the
// second fullpage chooses subpages from layers 1, 13, 25, 37". The units L1, L2, L3 and L4 of the first fullpage are in
// layers 0, 24, 12 and 36.
TEST_CASE("by default fullpages are laid out as in the paper") {
  const FullpagePattern pattern({0, 2, 1, 3}, rows);
  std::vector<std::uint32_t> layers;
  for (std::uint32_t unit = 0; unit < layer_quarters; ++unit) layers.push_back(layer_of(0, pattern.member(0, unit)));
  CHECK(layers == std::vector<std::uint32_t>{0, 24, 12, 36});
  CHECK(layer_of(3, pattern.member(3, 0)) == 1);
  CHECK(pattern.code(0, pattern.member(0, 2)) == less_parity_code);
  CHECK(pattern.code(0, pattern.member(0, 3)) == more_parity_code);
  CHECK(pattern.code(0, pattern.member(0, 0)) == ordinary_code);
  CHECK(pattern.code(0, pattern.member(0, 1)) == ordinary_code);
}

TEST_CASE("the mappings between units of a block and their places are inverse") {
  const FullpagePattern pattern({2, 1, 3, 0}, rows);
  std::vector<bool> taken(rows * layer_quarters * layer_quarters);
  for (std::uint32_t k = 0; k < taken.size(); ++k) {
    const std::uint32_t place = pattern.place_of(k);
    REQUIRE(place < taken.size());
    CHECK_FALSE(taken[place]);
    taken[place] = true;
    CHECK(pattern.at(place) == k);
    const std::uint32_t row = place / 16;
    CHECK(row == k / 16);
    CHECK(pattern.unit(row, place % 16 / 4) == k % 4);
  }
}

TEST_CASE("a superblock over layers is four flash blocks, one of each quarter") {
  const Geometry flash{
      .channels = 2, .planes_per_die = 2, .blocks_per_plane = 8, .pages_per_block = 24, .page_bytes = 16384};
  const FlashLayout layout(flash, 4096, {.over_layers = true});
  CHECK_FALSE(layout.has_parity());
  CHECK(layout.members() == 4);
  CHECK(layout.member_planes() == 1);
  CHECK(layout.mapping().blocks_per_plane() == 2);
  CHECK(layout.mapping().units() == 4 * flash.pages());
  std::set<std::uint64_t> units;
  for (std::uint64_t k = 0; k < flash.pages(); ++k) {
    const Place page = layout.flash_place(FlashPage(k));
    const Ppa first = layout.of_flash_page(FlashPage(k));
    CHECK(layout.block_of(first) == layout.holding(page.plane, page.block_of_plane));
    CHECK(layout.row_of(first) == page.page_of_block);
    CHECK(layout.first_unit(layout.block_of(first), page.page_of_block, page.block_of_plane.value % 4) == first);
    for (std::uint32_t unit = 0; unit < 4; ++unit) {
      const Ppa ppa(first.value + unit);
      CHECK(units.insert(ppa.value).second);
      const Place place = layout.find(ppa);
      CHECK(place.plane == page.plane);
      CHECK(place.block == page.block);
      CHECK(place.page_of_block == page.page_of_block);
      CHECK(layout.unit_in_page(ppa) == unit);
    }
  }
  CHECK(units.size() == layout.mapping().units());
}

}  // namespace
}  // namespace nandscape::controller
