// SPDX-License-Identifier: Apache-2.0
#include "controller/mapping/block_table.h"

#include <deque>
#include <numeric>
#include <tuple>
#include <vector>

#include "catch.h"
#include "core/archive.h"
#include "fakes/mapping_fixture.h"

namespace nandscape::controller {
namespace {

using State = BlockTable::State;

// A simple reference model of the table, which stores its state in vectors indexed by block or page.
struct Reference {
  explicit Reference(const MappingFixture& f)
      : geometry(f.geometry),
        state(geometry.blocks(), State::free),
        next_page(geometry.blocks()),
        erases(geometry.blocks()),
        held(geometry.units()),
        free(geometry.planes()) {
    for (std::uint64_t ppa = 0; ppa < geometry.units(); ++ppa) held[ppa] = f.fill.lpn_at(Ppa(ppa));
    for (std::uint32_t block = 0; block < geometry.blocks(); ++block) {
      const FtlPlane plane = geometry.plane_of(Superblock(block));
      if (block % geometry.blocks_per_plane() < f.fill.used_blocks(plane)) {
        state[block] = State::full;
        next_page[block] = geometry.units_per_block();
      } else {
        free[plane.value].push_back(block);
      }
    }
  }

  std::uint32_t valid_pages(std::uint32_t block) const {
    std::uint32_t count = 0;
    for (std::uint32_t page = 0; page < geometry.units_per_block(); ++page) {
      count += held[geometry.unit(Superblock(block), page).value].valid();
    }
    return count;
  }

  FtlGeometry geometry;
  std::vector<State> state;
  std::vector<std::uint32_t> next_page;
  std::vector<std::uint32_t> erases;
  std::vector<Lpn> held;
  std::vector<std::deque<std::uint32_t>> free;
};

void check_equal(const BlockTable& table, const Reference& reference) {
  for (std::uint32_t block = 0; block < reference.geometry.blocks(); ++block) {
    REQUIRE(table.state(Superblock(block)) == reference.state[block]);
    REQUIRE(table.valid_pages(Superblock(block)) == reference.valid_pages(block));
    REQUIRE(table.next_page(Superblock(block)) == reference.next_page[block]);
    REQUIRE(table.erase_count(Superblock(block)) == reference.erases[block]);
  }
  for (std::uint64_t ppa = 0; ppa < reference.geometry.units(); ++ppa) {
    REQUIRE(table.held_by(Ppa(ppa)) == reference.held[ppa]);
  }
  for (std::uint32_t plane = 0; plane < reference.geometry.planes(); ++plane) {
    REQUIRE(table.free_blocks(FtlPlane(plane)) == reference.free[plane].size());
  }
  REQUIRE(table.taken_units() ==
          std::accumulate(reference.next_page.begin(), reference.next_page.end(), std::uint64_t{0}));
}

TEST_CASE("a full block may be programmed until its last program ends") {
  const MappingFixture f(FtlGeometry(1, 4, 2, 4096), 4, {.occupancy = 0});
  BlockTable table(f.geometry, f.fill);
  const Superblock block = table.take_free(FtlPlane(0));
  CHECK(table.may_be_programmed(block));
  for (int page = 0; page < 2; ++page) {
    table.pin_program(block);
    std::ignore = table.append(block, 0);
  }
  CHECK(table.state(block) == State::full);
  CHECK(table.may_be_programmed(block));
  table.unpin_program(block);
  CHECK(table.may_be_programmed(block));
  table.unpin_program(block);
  CHECK_FALSE(table.may_be_programmed(block));
  CHECK_FALSE(table.pinned(block));
  // A read also pins the block.
  table.pin(block);
  CHECK_FALSE(table.may_be_programmed(block));
}

TEST_CASE("a block table agrees with plain vectors") {
  const FtlGeometry geometry =
      GENERATE(FtlGeometry(4, 12, 9, 4096), FtlGeometry(3, 7, 1, 4096), FtlGeometry(1, 300, 64, 4096));
  PreconditionParameters p;
  p.occupancy = GENERATE(0.0, 1.0);
  p.invalid_page_ratio = 0.2;
  const std::uint64_t logical_pages = geometry.units() / 2;
  const MappingFixture f(geometry, logical_pages, p);
  BlockTable table(geometry, f.fill);
  Reference reference(f);
  check_equal(table, reference);

  RandomStream random(1, "block_table");
  std::vector<Superblock> open;
  for (int k = 0; k < 30'000; ++k) {
    const Superblock any(static_cast<std::uint32_t>(random.below(geometry.blocks())));
    switch (random.below(5)) {
      case 0: {  // open a block
        const FtlPlane plane(static_cast<std::uint32_t>(random.below(geometry.planes())));
        const Superblock taken = table.take_free(plane);
        auto& free = reference.free[plane.value];
        REQUIRE(taken.valid() == !free.empty());
        if (!taken.valid()) break;
        REQUIRE(taken.value == free.front());  // the block that has been free for the longest time
        free.pop_front();
        reference.state[taken.value] = State::open;
        open.push_back(taken);
        break;
      }
      case 1:
      case 2: {  // write a page
        if (open.empty()) break;
        const std::size_t which = random.below(open.size());
        const Superblock block = open[which];
        const Ppa ppa = table.append(block, static_cast<Tick>(k));
        REQUIRE(table.last_written(block) == static_cast<Tick>(k));
        REQUIRE(ppa == geometry.unit(block, reference.next_page[block.value]++));
        const Lpn lpn(random.below(2) == 0 ? random.below(logical_pages) : logical_pages - 1);
        table.hold(ppa, lpn);
        reference.held[ppa.value] = lpn;
        if (reference.next_page[block.value] == geometry.units_per_block()) {
          reference.state[block.value] = State::full;
          open.erase(open.begin() + static_cast<std::ptrdiff_t>(which));
        }
        break;
      }
      case 3: {  // invalidate a page
        const Ppa ppa = geometry.unit(any, static_cast<std::uint32_t>(random.below(geometry.units_per_block())));
        if (!reference.held[ppa.value].valid()) break;
        REQUIRE(table.still_holds(ppa));
        table.invalidate(ppa);
        REQUIRE_FALSE(table.still_holds(ppa));
        reference.held[ppa.value] = Lpn();
        break;
      }
      default: {  // erase a block
        if (reference.state[any.value] != State::full || random.below(4) != 0) break;
        for (std::uint32_t page = 0; page < geometry.units_per_block(); ++page) {
          Lpn& held = reference.held[geometry.unit(any, page).value];
          if (held.valid()) table.invalidate(geometry.unit(any, page));
          held = Lpn();
        }
        table.set_state(any, State::erasing);
        table.erased(any);
        reference.state[any.value] = State::free;
        reference.next_page[any.value] = 0;
        ++reference.erases[any.value];
        reference.free[geometry.plane_of(any).value].push_back(any.value);
      }
    }
    if (k % 1000 == 0) check_equal(table, reference);
  }
  check_equal(table, reference);
}

TEST_CASE("a block is pinned until all of its commands end") {
  const FtlGeometry geometry(1, 4, 4, 4096);
  const MappingFixture f(geometry, 4, {.occupancy = 0});
  BlockTable table(geometry, f.fill);
  table.pin(Superblock(2));
  table.pin(Superblock(2));
  CHECK(table.pinned(Superblock(2)));
  CHECK_FALSE(table.pinned(Superblock(1)));
  table.unpin(Superblock(2));
  CHECK(table.pinned(Superblock(2)));
  table.unpin(Superblock(2));
  CHECK_FALSE(table.pinned(Superblock(2)));
}

TEST_CASE("a restored table has the state of the saved one, and its copy counts") {
  const FtlGeometry geometry(1, 4, 4, 4096);
  const MappingFixture f(geometry, 4, {.occupancy = 0});
  BlockTable table(geometry, f.fill);
  const Superblock block = table.take_free(FtlPlane(0), FreeBlockOrder::fifo, 1);
  const Ppa page = table.append(block, 7);
  table.hold(page, Lpn(3));
  table.copied(Superblock(0), block);
  table.copied(block, block);
  Archive written;
  table.persist(written);

  BlockTable other(geometry, f.fill);
  const std::vector<std::byte> state = written.take();
  Archive read(state);
  other.persist(read);
  read.finish();
  CHECK(other.state(block) == State::open);
  CHECK(other.held_by(page) == Lpn(3));
  CHECK(other.stream(block) == 1);
  CHECK(other.last_written(block) == 7);
  CHECK(other.free_blocks(FtlPlane(0)) == table.free_blocks(FtlPlane(0)));
  CHECK(other.copies(block) == 2);
  CHECK(other.taken_units() == 1);
}

TEST_CASE("a closed block has taken all units that its mode has") {
  const FtlGeometry geometry(1, 4, 8, 4096);
  const MappingFixture f(geometry, 4, {.occupancy = 0});
  BlockShapes shapes({.rows = 8});
  shapes.add(1, {.rows = 4});
  BlockTable table(geometry, f.fill, shapes);
  const Superblock block = table.take_free(FtlPlane(0));
  table.set_write_mode(block, 1);
  table.append(block, 1);
  CHECK(table.taken_units() == 1);
  table.close(block);
  CHECK(table.taken_units() == 4);
  table.set_state(block, State::erasing);
  table.erased(block);
  CHECK(table.taken_units() == 0);
}

}  // namespace
}  // namespace nandscape::controller
