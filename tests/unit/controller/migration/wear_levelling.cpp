// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "catch.h"
#include "controller/migration/media_care.h"
#include "fakes/mapping_fixture.h"

namespace nandscape::controller {
namespace {

using State = BlockTable::State;

TEST_CASE("free blocks are taken in the configured order") {
  const FreeBlockOrder order = GENERATE(FreeBlockOrder::fifo, FreeBlockOrder::least_worn, FreeBlockOrder::most_worn);
  const FtlGeometry geometry(3, 20, 4, 4096);
  MappingFixture mapping(geometry, 8, {.occupancy = 0});
  BlockTable table(geometry, mapping.fill);
  // Free blocks of each plane, in the order in which they became free.
  std::vector<std::vector<Superblock>> reference(geometry.planes());
  for (std::uint32_t block = 0; block < geometry.blocks(); ++block) {
    reference[geometry.plane_of(Superblock(block)).value].push_back(Superblock(block));
  }
  std::vector<Superblock> taken;
  RandomStream random(1, "free_blocks");
  for (int k = 0; k < 20'000; ++k) {
    const FtlPlane plane(static_cast<std::uint32_t>(random.below(geometry.planes())));
    auto& free = reference[plane.value];
    if (!taken.empty() && random.below(2) == 0) {
      const std::size_t which = random.below(taken.size());
      const Superblock block = taken[which];
      taken.erase(taken.begin() + static_cast<std::ptrdiff_t>(which));
      table.erased(block);
      reference[geometry.plane_of(block).value].push_back(block);
    } else {
      const Superblock block = table.take_free(plane, order, 2);
      REQUIRE(block.valid() == !free.empty());
      if (!block.valid()) continue;
      REQUIRE(table.stream(block) == 2);
      const auto wear = [&](Superblock b) { return table.erase_count(b); };
      // If several blocks are equal, the first one is taken.
      const auto next = order == FreeBlockOrder::fifo         ? free.begin()
                        : order == FreeBlockOrder::least_worn ? std::ranges::min_element(free, {}, wear)
                                                              : std::ranges::max_element(free, {}, wear);
      REQUIRE(block == *next);
      free.erase(next);
      taken.push_back(block);
    }
    REQUIRE(table.free_blocks(plane) == free.size());
  }
}

// A plane in which half of the blocks hold cold data that are never overwritten.
struct Plane {
  explicit Plane(const WearLevellingParameters& p) : order(p.free_block), levelling(p, geometry) {
    for (int k = 0; k < 36; ++k) write(k < 20);
  }

  void write(bool cold) {
    const Superblock block = table.take_free(FtlPlane(0), cold ? FreeBlockOrder::most_worn : order);
    ++now;
    for (std::uint32_t page = 0; page < geometry.units_per_block(); ++page) table.append(block, now);
    (cold ? cold_blocks : hot_blocks).push_back(block);
  }
  void erase(Superblock block) {
    table.set_state(block, State::erasing);
    table.erased(block);
  }
  // Rewrites a hot block into a new one, and moves the block that wear levelling chooses, if any.
  void step(RandomStream& random) {
    const std::size_t which = random.below(hot_blocks.size());
    const Superblock old = hot_blocks[which];
    hot_blocks.erase(hot_blocks.begin() + static_cast<std::ptrdiff_t>(which));
    write(false);
    erase(old);
    const Superblock lagging = levelling.erased(table, FtlPlane(0));
    if (!lagging.valid()) return;
    REQUIRE(table.state(lagging) == State::full);
    ++moves;
    const auto found = std::find(cold_blocks.begin(), cold_blocks.end(), lagging);
    const bool cold = found != cold_blocks.end();
    if (cold) {
      cold_blocks.erase(found);
    } else {
      hot_blocks.erase(std::find(hot_blocks.begin(), hot_blocks.end(), lagging));
    }
    write(cold);
    erase(lagging);
  }
  std::uint32_t spread() const {
    std::uint32_t least = ~0U, most = 0;
    for (std::uint32_t block = 0; block < geometry.blocks(); ++block) {
      least = std::min(least, table.erase_count(Superblock(block)));
      most = std::max(most, table.erase_count(Superblock(block)));
    }
    return most - least;
  }

  FtlGeometry geometry{1, 40, 4, 4096};
  MappingFixture mapping{geometry, 16, {.occupancy = 0}};
  BlockTable table{geometry, mapping.fill};
  FreeBlockOrder order;
  StaticWearLevelling levelling;
  std::vector<Superblock> cold_blocks, hot_blocks;
  Tick now = 0;
  std::uint64_t moves = 0;
};

TEST_CASE("static wear levelling keeps cold blocks from lagging behind") {
  RandomStream random(1, "wear");
  const FreeBlockOrder order = GENERATE(FreeBlockOrder::fifo, FreeBlockOrder::least_worn);
  Plane without({.free_block = order});
  Plane with({.free_block = order, .static_threshold = 20, .check_erases = 8});
  std::uint32_t widest = 0;
  for (int k = 0; k < 20'000; ++k) {
    without.step(random);
    with.step(random);
    widest = std::max(widest, with.spread());
  }
  CAPTURE(static_cast<int>(order), without.spread(), widest, with.moves);
  // Without wear levelling, all 20,000 erases go to the 20 blocks without cold data.
  CHECK(without.moves == 0);
  CHECK(without.spread() >= 1000);
  // The other blocks continue to wear while the lagging blocks wait for their moves, so the spread may exceed the
  // threshold.
  CHECK(widest <= 35);
  // With every 20 erases, each of the 20 cold blocks lags one more erase behind the others. Each move makes up for a
  // lag of 20 erases.
  CHECK(with.moves >= 500);
  CHECK(with.moves < 2000);
}

TEST_CASE("the least worn block is emptied only once it lags by more than the threshold") {
  const FtlGeometry geometry(2, 4, 1, 4096);
  const MappingFixture mapping(geometry, 2, {.occupancy = 0});
  BlockTable table(geometry, mapping.fill);
  const auto write = [&](Tick now) {
    const Superblock block = table.take_free(FtlPlane(1));
    table.append(block, now);
    return block;
  };
  const auto cycle = [&](int times) {
    for (int k = 0; k < times; ++k) {
      const Superblock block = write(100);
      table.set_state(block, State::erasing);
      table.erased(block);
    }
  };
  const Superblock younger = write(20), older = write(10);
  StaticWearLevelling levelling({.static_threshold = 3, .check_erases = 2}, geometry);
  const auto search = [&] {
    CHECK_FALSE(levelling.erased(table, FtlPlane(1)).valid());  // the table is checked only after every second erase
    return levelling.erased(table, FtlPlane(1));
  };
  cycle(6);  // erases each of the two blocks without data three times
  CHECK_FALSE(search().valid());
  cycle(1);
  CHECK(search() == older);
  table.pin(older);
  CHECK(search() == younger);
  table.set_state(younger, State::victim);
  CHECK_FALSE(search().valid());
  CHECK_FALSE(levelling.erased(table, FtlPlane(0)).valid());
}

}  // namespace
}  // namespace nandscape::controller
