// SPDX-License-Identifier: Apache-2.0
#include "controller/addresses/flash_layout.h"

#include <set>
#include <vector>

#include "catch.h"

namespace nandscape::controller {
namespace {

struct Shape {
  std::uint32_t channels, chips, dies, planes, pages, units;
  SuperblockMembers members;
};

TEST_CASE("each flash page holds its own units, or the parity of its row") {
  const Shape shape = GENERATE(values<Shape>({{1, 1, 2, 1, 7, 1, {.dies = 2, .parity = true}},
                                              {3, 1, 1, 2, 5, 2, {.dies = 3, .parity = true}},
                                              {2, 2, 1, 3, 8, 4, {.dies = 4, .parity = true}},
                                              {2, 3, 1, 1, 9, 1, {.dies = 3, .parity = true}},
                                              {5, 1, 1, 1, 3, 2, {.dies = 5, .parity = true}},
                                              {2, 3, 1, 2, 4, 1, {}},
                                              {2, 3, 1, 2, 4, 1, {.dies = 6, .all_planes = true}},
                                              {2, 3, 1, 4, 4, 2, {.dies = 2, .all_planes = true}},
                                              {2, 1, 1, 3, 7, 4, {.dies = 1, .all_planes = true}},
                                              {2, 2, 1, 2, 9, 1, {.dies = 2, .all_planes = true, .parity = true}}}));
  const Geometry flash{.channels = shape.channels,
                       .chips_per_channel = shape.chips,
                       .dies_per_chip = shape.dies,
                       .planes_per_die = shape.planes,
                       .blocks_per_plane = 3,
                       .pages_per_block = shape.pages,
                       .page_bytes = 4096 * shape.units};
  const FlashLayout layout(flash, 4096, shape.members);
  CAPTURE(shape.members.dies, shape.members.all_planes, shape.members.parity, shape.pages, shape.units);
  std::set<std::uint64_t> units;
  std::uint64_t parity = 0;
  for (std::uint64_t k = 0; k < flash.pages(); ++k) {
    const Ppa first = layout.of_flash_page(FlashPage(k));
    const auto row = static_cast<std::uint32_t>(k % flash.pages_per_block);
    const FlashPlane plane = flash.plane_of(flash.block_of(FlashPage(k)));
    if (!first.valid()) {
      ++parity;
      CHECK(layout.is_parity(row, layout.member_of(plane)));
      continue;
    }
    CHECK(layout.row_of(first) == row);
    CHECK(layout.mapping().plane_of(layout.block_of(first)) == layout.mapping_plane(plane));
    CHECK(layout.in_row(FlashPage(k), layout.member_of(plane)) == first);
    for (std::uint32_t unit = 0; unit < layout.units_per_page(); ++unit) {
      const Ppa ppa(first.value + unit);
      CHECK(units.insert(ppa.value).second);
      const Place place = layout.find(ppa);
      CHECK(place.plane == plane);
      CHECK(place.page_of_block == row);
      CHECK(layout.unit_in_page(ppa) == unit);
    }
  }
  CHECK(units.size() == layout.mapping().units());
  CHECK(*units.rbegin() == layout.mapping().units() - 1);
  CHECK(parity == (shape.members.parity ? flash.pages() / layout.members() : 0));
}

TEST_CASE("the members of a stripe set lie on different dies") {
  const Geometry flash{
      .channels = 2, .chips_per_channel = 3, .planes_per_die = 2, .blocks_per_plane = 2, .pages_per_block = 4};
  const FlashLayout layout(flash, flash.page_bytes, {.dies = 3, .parity = true});
  for (std::uint32_t plane = 0; plane < layout.mapping().planes(); ++plane) {
    std::set<std::uint32_t> dies;
    for (std::uint32_t member = 0; member < 3; ++member) {
      const FlashPlane of_flash = layout.flash_plane(FtlPlane(plane), member);
      dies.insert(flash.die_of(of_flash).value);
      CHECK(layout.mapping_plane(of_flash) == FtlPlane(plane));
      CHECK(layout.member_of(of_flash) == member);
    }
    CHECK(dies.size() == 3);
  }
}

TEST_CASE("a plane of the mapping has a die and a channel if all members are there") {
  const Geometry flash{
      .channels = 2, .chips_per_channel = 2, .planes_per_die = 2, .blocks_per_plane = 2, .pages_per_block = 4};
  const FlashLayout one_die(flash, flash.page_bytes, {.dies = 1, .all_planes = true});
  for (std::uint32_t plane = 0; plane < 4; ++plane) {
    CHECK(one_die.die_of(FtlPlane(plane)) == flash.die_of(one_die.flash_plane(FtlPlane(plane), 0)));
    CHECK(one_die.channel_of(FtlPlane(plane)) == flash.channel_of(one_die.die_of(FtlPlane(plane))));
  }
  const FlashLayout all(flash, flash.page_bytes, {.dies = 4, .all_planes = true});
  CHECK_FALSE(all.die_of(FtlPlane(0)).valid());
  CHECK_FALSE(all.channel_of(FtlPlane(0)).valid());
}

TEST_CASE("the members of a superpage fill one die after the other, on another channel each time") {
  const Geometry flash{
      .channels = 2, .chips_per_channel = 2, .planes_per_die = 2, .blocks_per_plane = 2, .pages_per_block = 4};
  const FlashLayout layout(flash, flash.page_bytes, {.dies = 4, .all_planes = true});
  CHECK(layout.mapping().planes() == 1);
  CHECK(layout.members_per_die() == 2);
  std::vector<std::uint32_t> channels;
  for (std::uint32_t member = 0; member < layout.members(); ++member) {
    const FlashPlane plane = layout.flash_plane(FtlPlane(0), member);
    CHECK(flash.plane_in_die(plane).value == member % 2);
    channels.push_back(flash.channel_of(flash.die_of(plane)).value);
  }
  CHECK(channels == std::vector<std::uint32_t>{0, 0, 1, 1, 0, 0, 1, 1});
  // Units follow the members of a row.
  for (std::uint32_t unit = 0; unit < 16; ++unit) {
    const Place place = layout.find(layout.mapping().unit(Superblock(1), unit));
    CHECK(place.page_of_block == unit / 8);
    CHECK(layout.member_of(place.plane) == unit % 8);
  }
}

}  // namespace
}  // namespace nandscape::controller
