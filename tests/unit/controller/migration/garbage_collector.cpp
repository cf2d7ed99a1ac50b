// SPDX-License-Identifier: Apache-2.0
// Tests the garbage collector with a fake mover and eraser, whose moves and erases end when the test decides.
#include "controller/migration/garbage_collection/garbage_collector.h"

#include <deque>
#include <set>
#include <vector>

#include "catch.h"
#include "fakes/mapping_fixture.h"

namespace nandscape::controller {
namespace {

using State = BlockTable::State;

const FtlGeometry geometry(2, 8, 4, 4096);

MappingParameters mostly_spare() {
  MappingParameters p;
  p.over_provisioning = 10;
  return p;
}

// A drive in which blocks 0 to 4 of each plane are full, by default with 3, 1, 2, 4 and 0 valid pages. Blocks 5 to 7
// are free.
struct Bench final : GarbageCollector::Mover,
                     GarbageCollector::Eraser,
                     GarbageCollector::RoomListener,
                     BlockSupply::Client {
  struct Move {
    Ppa source;
    Lpn lpn;
  };

  explicit Bench(std::uint32_t pages_in_flight = 8, std::uint32_t start_free_blocks = 4,
                 const std::vector<int>& valid = {3, 1, 2, 4, 0}, bool moves_are_durable = true) {
    for (std::uint32_t plane = 0; plane < 2; ++plane) {
      for (const int count : valid) {
        const Superblock block = blocks.take_free(FtlPlane(plane));
        for (int page = 0; page < 4; ++page) {
          const Ppa ppa = blocks.append(block, 0);
          if (page < count) blocks.hold(ppa, Lpn(ppa.value));
        }
      }
    }
    GarbageCollectionParameters p;
    p.start_free_blocks = start_free_blocks;
    p.pages_in_flight = pages_in_flight;
    collector = std::make_unique<GarbageCollector>(p, blocks, room, 1, 1, moves_are_durable);
    collector->connect({*this, *this, *this, *this});
  }

  std::uint32_t move_page(Ppa source, Reason, Tick) override {
    const Lpn lpn = blocks.held_by(source);
    if (!lpn.valid()) return 0;
    moves.push_back({source, lpn});
    return 1;
  }
  void block_retired(Superblock block, Tick) override { retired.push_back(block); }
  void nothing_gained(FtlPlane, Tick) override { ++gained_nothing; }
  void make_moves_durable(FtlPlane) override { ++asked_for_durability; }
  void await_durable_moves(FtlPlane, bool awaits) override { awaits_durability = awaits; }
  void host_may_go_on(FtlPlane, Tick) override { ++told_host; }
  void erase(Superblock block, Tick) override { erases.push_back(block); }
  void set_urgent(FtlPlane plane, bool is_urgent) override { urgent[plane.value] = is_urgent; }

  int gained_nothing = 0;

  // Ends the oldest move, after which the source page is invalid.
  void finish_move(bool overtaken = false) {
    const Move move = moves.front();
    moves.pop_front();
    blocks.invalidate(move.source);
    collector->page_moved(geometry.block_of(move.source), overtaken ? MoveEnd::overtaken : MoveEnd::moved, 0);
  }
  void finish_erase(bool erased = true) {
    const Superblock block = erases.front();
    erases.erase(erases.begin());
    collector->block_erased(block, erased, 0);
  }

  MappingFixture mapping{geometry, 8, {.occupancy = 0}};
  BlockTable blocks{geometry, mapping.fill};
  const FlashLayout& layout = mapping.layout;
  CapacityPlan plan{mostly_spare(), layout, {.start_free_blocks = 1}};
  PlaneRoom room{plan, mapping.order, blocks, 8, true};
  std::unique_ptr<GarbageCollector> collector;
  std::deque<Move> moves;
  std::vector<Superblock> erases;
  std::vector<Superblock> retired;
  int asked_for_durability = 0;
  bool awaits_durability = false;
  int told_host = 0;
  bool urgent[2] = {false, false};
};

TEST_CASE("collection starts when a plane has fewer free blocks than configured") {
  Bench enough(8, 3);
  enough.collector->check(FtlPlane(0), 0);
  CHECK(enough.collector->counters().victims == 0);
  Bench few(8, 4);
  few.collector->check(FtlPlane(0), 0);
  CHECK(few.collector->counters().victims == 1);
  few.collector->check(FtlPlane(0), 0);  // only one victim is collected at a time
  CHECK(few.collector->counters().victims == 1);
}

TEST_CASE("an empty victim is erased at once, and the next one has the fewest valid pages") {
  Bench b(8, 8);
  b.collector->check(FtlPlane(1), 0);
  CHECK(b.moves.empty());
  REQUIRE(b.erases == std::vector{geometry.block(FtlPlane(1), 4)});
  CHECK(b.blocks.state(b.erases[0]) == State::erasing);
  b.finish_erase();
  CHECK(b.blocks.state(geometry.block(FtlPlane(1), 4)) == State::free);
  REQUIRE(b.moves.size() == 1);
  CHECK(geometry.block_of(b.moves[0].source) == geometry.block(FtlPlane(1), 1));
  CHECK(b.blocks.state(geometry.block(FtlPlane(1), 1)) == State::victim);
}

TEST_CASE("every valid page is moved once, within the limit in flight, and the block erased after the last") {
  const std::uint32_t in_flight = GENERATE(1u, 2u, 3u, 8u);
  Bench b(in_flight, 4, {3, 4, 4, 4, 4});
  b.collector->check(FtlPlane(0), 0);
  std::set<std::uint64_t> moved;
  for (int done = 0; done < 3; ++done) {
    CHECK(b.moves.size() == std::min<std::size_t>(in_flight, static_cast<std::size_t>(3 - done)));
    CHECK(b.erases.empty());
    CHECK(b.moves.front().lpn.value == b.moves.front().source.value);
    moved.insert(b.moves.front().source.value);
    b.finish_move();
  }
  CHECK(moved == std::set<std::uint64_t>{0, 1, 2});
  CHECK(b.erases == std::vector{Superblock(0)});
  CHECK(b.collector->counters().moved_units == 3);
}

TEST_CASE("a page that the host overwrote before its move is not moved") {
  Bench b(1, 4, {3, 4, 4, 4, 4});
  b.collector->check(FtlPlane(0), 0);
  b.blocks.invalidate(Ppa(1));
  b.finish_move(true);
  REQUIRE(b.moves.size() == 1);
  CHECK(b.moves.front().source == Ppa(2));
  b.finish_move();
  CHECK(b.erases == std::vector{Superblock(0)});
  CHECK(b.collector->counters().overtaken_pages == 1);
  CHECK(b.collector->counters().moved_units == 2);
}

TEST_CASE("a block with pending commands is neither chosen nor erased") {
  Bench b(8, 4, {0, 4, 4, 4, 4});
  SECTION("chosen") {
    b.blocks.pin(Superblock(0));
    b.collector->check(FtlPlane(0), 0);
    CHECK(b.collector->counters().victims == 0);
    b.blocks.unpin(Superblock(0));
    b.collector->unpinned(Superblock(0), 0);  // from now on, the block can be chosen
    CHECK(b.erases == std::vector{Superblock(0)});
  }
  SECTION("erased") {
    Bench moving(8, 4, {1, 4, 4, 4, 4});
    moving.collector->check(FtlPlane(0), 0);
    moving.blocks.pin(Superblock(0));  // a host read of the page arrives during the move
    moving.finish_move();
    CHECK(moving.erases.empty());
    moving.blocks.unpin(Superblock(0));
    moving.collector->unpinned(Superblock(0), 0);
    CHECK(moving.erases == std::vector{Superblock(0)});
    moving.collector->unpinned(Superblock(0), 0);  // must not erase the block a second time
    CHECK(moving.erases.size() == 1);
  }
  SECTION("not erased, since a moved page got no place in the end") {
    Bench moving(8, 4, {1, 4, 4, 4, 4});
    moving.collector->check(FtlPlane(0), 0);
    const Bench::Move move = moving.moves.front();
    moving.blocks.pin(Superblock(0));
    moving.finish_move();
    moving.blocks.hold_again(move.source, move.lpn);
    moving.blocks.unpin(Superblock(0));
    moving.collector->stop();
    moving.collector->unpinned(Superblock(0), 0);
    CHECK(moving.erases.empty());
    CHECK(moving.blocks.state(Superblock(0)) == State::full);
  }
}

TEST_CASE("fully valid blocks are not chosen as victims") {
  Bench b(8, 4, {4, 4, 4, 4, 4});
  b.collector->check(FtlPlane(0), 0);
  CHECK(b.collector->counters().victims == 0);
  b.blocks.invalidate(Ppa(7));
  b.collector->check(FtlPlane(0), 0);
  CHECK(b.moves.size() == 3);
}

TEST_CASE("planes are collected in parallel") {
  Bench b(8, 4, {1, 4, 4, 4, 4});
  b.collector->check(FtlPlane(0), 0);
  b.collector->check(FtlPlane(1), 0);
  REQUIRE(b.moves.size() == 2);
  CHECK(geometry.block_of(b.moves[0].source) == Superblock(0));
  CHECK(geometry.block_of(b.moves[1].source) == Superblock(8));
}

TEST_CASE("collection is urgent while the host may take no block") {
  Bench b(8, 4, {1, 4, 4, 4, 4});
  b.collector->check(FtlPlane(0), 0);
  CHECK_FALSE(b.urgent[0]);
  CHECK(b.collector->host_may_take_block(FtlPlane(0)));
  b.blocks.take_free(FtlPlane(0));
  b.blocks.take_free(FtlPlane(0));  // the one free block that is left is reserved
  b.collector->check(FtlPlane(0), 0);
  CHECK(b.urgent[0]);
  CHECK_FALSE(b.urgent[1]);
  CHECK_FALSE(b.collector->host_may_take_block(FtlPlane(0)));
  b.finish_move();
  b.finish_erase();
  CHECK_FALSE(b.urgent[0]);
  CHECK(b.collector->host_may_take_block(FtlPlane(0)));
}

TEST_CASE("a block is emptied on request, whatever it holds and however many blocks are free") {
  Bench b(8, 2, {3, 1, 2, 4, 0});
  b.collector->empty(Superblock(3), Reason::refresh, 0);
  b.collector->empty(Superblock(3), Reason::read_disturb, 0);  // a second request has no effect
  REQUIRE(b.moves.size() == 4);
  for (int k = 0; k < 4; ++k) b.finish_move();
  CHECK(b.erases == std::vector{Superblock(3)});
  b.finish_erase();
  CHECK(b.erases.empty());
  CHECK(b.blocks.state(Superblock(3)) == State::free);
  CHECK(b.collector->counters().victims == 0);
  CHECK(b.collector->counters().emptied[static_cast<std::size_t>(Reason::refresh)] == 1);
  CHECK(b.collector->counters().emptied[static_cast<std::size_t>(Reason::read_disturb)] == 0);
}

TEST_CASE("requests wait for pending commands, and are dropped with the block") {
  Bench b(8, 2, {3, 1, 2, 4, 0});
  b.blocks.pin(Superblock(1));
  b.collector->empty(Superblock(1), Reason::refresh, 0);
  CHECK(b.moves.empty());
  b.collector->empty(Superblock(4), Reason::refresh, 0);  // this request need not wait for the previous one
  CHECK(b.erases == std::vector{Superblock(4)});
  b.finish_erase();
  b.blocks.unpin(Superblock(1));
  b.collector->unpinned(Superblock(1), 0);
  CHECK(b.moves.size() == 1);
  b.collector->empty(Superblock(5), Reason::refresh, 0);  // the block is free, so there is nothing to do
  b.finish_move();
  b.finish_erase();
  CHECK(b.moves.empty());
  CHECK(b.erases.empty());
}

TEST_CASE("a failing block is retired instead of erased, and so is a block whose erase fails") {
  Bench b(8, 2, {2, 4, 4, 4, 4});
  const std::uint32_t good = b.blocks.good_blocks(FtlPlane(0));
  b.blocks.set_failing(Superblock(0));
  b.collector->empty(Superblock(0), Reason::failure, 0);
  b.finish_move();
  b.finish_move();
  CHECK(b.erases.empty());
  CHECK(b.retired == std::vector{Superblock(0)});
  CHECK(b.blocks.state(Superblock(0)) == State::retired);
  CHECK(b.blocks.good_blocks(FtlPlane(0)) == good - 1);

  b.collector->empty(Superblock(1), Reason::wear, 0);
  for (int k = 0; k < 4; ++k) b.finish_move();
  b.finish_erase(false);
  CHECK(b.blocks.state(Superblock(1)) == State::retired);
  CHECK(b.blocks.good_blocks(FtlPlane(0)) == good - 2);
  CHECK(b.collector->counters().retired_blocks == 2);
}

TEST_CASE("other blocks are collected while emptied ones wait for durable moves, until the host runs out of blocks") {
  Bench b(8, 4, {1, 2, 4, 4, 4}, false);
  b.collector->check(FtlPlane(0), 0);
  b.blocks.pin(Superblock(0));  // the pages that were moved from this block are not durable yet
  b.finish_move();
  CHECK(b.erases.empty());
  REQUIRE(b.moves.size() == 2);
  CHECK(geometry.block_of(b.moves[0].source) == Superblock(1));
  b.blocks.pin(Superblock(1));
  b.finish_move();
  CHECK(b.asked_for_durability == 0);
  b.finish_move();
  CHECK(b.asked_for_durability == 0);
  while (b.collector->host_may_take_block(FtlPlane(0))) b.blocks.take_free(FtlPlane(0));
  b.collector->check(FtlPlane(0), 0);
  CHECK(b.asked_for_durability == 1);
  CHECK(b.awaits_durability);
  b.blocks.unpin(Superblock(0));
  b.collector->unpinned(Superblock(0), 0);
  CHECK(b.erases == std::vector{Superblock(0)});
  CHECK_FALSE(b.awaits_durability);
}

TEST_CASE("the waiting host is notified when a plane comes to rest without a free block") {
  Bench b(8, 4, {4, 4, 4, 4, 4});
  const auto last_command_ends = [&] {
    b.blocks.pin(Superblock(0));
    b.blocks.unpin(Superblock(0));
    b.collector->unpinned(Superblock(0), 0);
  };
  last_command_ends();
  CHECK(b.told_host == 0);  // there are free blocks
  while (b.collector->host_may_take_block(FtlPlane(0))) b.blocks.take_free(FtlPlane(0));
  last_command_ends();
  CHECK(b.told_host == 1);
  b.blocks.invalidate(geometry.unit(Superblock(1), 0));
  last_command_ends();
  CHECK(b.told_host == 1);  // collection will free a block
}

TEST_CASE("with a balanced pace the host writes no more than a victim gains") {
  GarbageCollectionParameters p;
  p.pace = CollectionPace::balanced;
  p.pages_in_flight = 1;
  Bench b(1, 4, {2, 4, 4, 4, 4});
  GarbageCollector collector(p, b.blocks, b.room, 1);
  collector.connect({b, b, b, b});
  CHECK(collector.host_may_write(FtlPlane(0)));  // no collection runs
  collector.check(FtlPlane(0), 0);
  // The victim has four pages, of which two are valid. Each page that collection processes permits the host to write
  // half a page.
  std::uint32_t written = 0;
  const auto write_all = [&] {
    while (collector.host_may_write(FtlPlane(0)) && written < 100) {
      b.room.new_data_placed(FtlPlane(0));
      ++written;
    }
  };
  write_all();
  CHECK(written == 1);
  b.blocks.invalidate(b.moves.front().source);
  b.moves.pop_front();
  collector.page_moved(Superblock(0), MoveEnd::moved, 0);
  write_all();
  CHECK(written == 1);
  b.blocks.invalidate(b.moves.front().source);
  b.moves.pop_front();
  collector.page_moved(Superblock(0), MoveEnd::moved, 0);
  write_all();  // the victim is being erased
  CHECK(written == 100);
}

TEST_CASE("without preemption collection goes first from beginning to end") {
  GarbageCollectionParameters p;
  p.preemptible = false;
  Bench b(8, 4, {1, 4, 4, 4, 4});
  GarbageCollector collector(p, b.blocks, b.room, 1);
  collector.connect({b, b, b, b});
  collector.check(FtlPlane(0), 0);
  CHECK(b.urgent[0]);
  CHECK_FALSE(b.urgent[1]);
  b.blocks.invalidate(b.moves.front().source);
  collector.page_moved(Superblock(0), MoveEnd::moved, 0);
  collector.block_erased(Superblock(0), true, 0);
  CHECK_FALSE(b.urgent[0]);
}

TEST_CASE("when the power fails, one free block per plane is kept, whatever is reserved") {
  GarbageCollectionParameters p;
  p.reserved_blocks = 3;
  Bench b;
  GarbageCollector collector(p, b.blocks, b.room, 1);
  collector.connect({b, b, b, b});
  const FtlPlane plane(0);
  while (b.blocks.free_blocks(plane) > 3) b.blocks.take_free(plane);
  REQUIRE(b.blocks.free_blocks(plane) == 3);
  CHECK_FALSE(collector.host_may_take_block(plane));
  CHECK_FALSE(collector.host_may_share_block(plane));
  collector.halt();
  CHECK(collector.host_may_take_block(plane));
  b.blocks.take_free(plane);
  b.blocks.take_free(plane);
  CHECK_FALSE(collector.host_may_take_block(plane));
  CHECK(collector.host_may_share_block(plane));
  b.blocks.take_free(plane);
  CHECK_FALSE(collector.host_may_share_block(plane));
}

TEST_CASE("collection stops after a plane's worth of blocks without gain, and resumes after a change") {
  Bench b(8, 4, {3, 3, 3, 3, 3});
  const FtlPlane plane(0);
  // The valid pages of each victim need a whole new block, so the number of free blocks does not grow.
  const auto collect = [&] {
    const std::size_t count = b.moves.size();
    const Superblock to = b.blocks.take_free(plane);
    for (std::size_t k = 0; k < 4; ++k) {
      const Ppa place = b.blocks.append(to, 0);
      if (k < count) b.blocks.hold(place, b.moves[k].lpn);
    }
    while (!b.moves.empty()) b.finish_move();
    b.finish_erase();
  };
  b.collector->check(plane, 0);
  int victims = 0;
  for (; b.gained_nothing == 0 && victims < 100; ++victims) collect();
  const std::uint64_t blocks = b.blocks.good_blocks(plane), pages = geometry.units_per_block();
  CHECK(static_cast<std::uint64_t>(victims) == blocks + pages + 1);
  CHECK(b.room.gains_nothing(plane));
  CHECK(b.moves.empty());
  for (std::uint32_t page = 0; page < geometry.units_per_plane(); ++page) {
    if (!b.blocks.held_by(Ppa(page)).valid()) continue;
    b.blocks.invalidate(Ppa(page));
    break;
  }
  b.collector->check(plane, 0);
  CHECK_FALSE(b.moves.empty());
}

TEST_CASE("a plane is not given up because refresh takes the blocks that collection gains") {
  Bench b(8, 4, {3, 3, 3, 3, 3});
  const FtlPlane plane(0);
  while (!b.room.gains_nothing(plane)) b.room.victim_taken(plane);
  b.collector->empty(geometry.block(plane, 0), Reason::refresh, 0);
  REQUIRE(b.blocks.state(geometry.block(plane, 0)) == State::victim);
  CHECK_FALSE(b.room.gains_nothing(plane));
}

TEST_CASE("a victim that could not be emptied stays full, and a stopped collector starts nothing") {
  Bench b(8, 4, {1, 4, 4, 4, 4});
  b.collector->check(FtlPlane(0), 0);
  b.collector->stop();
  b.moves.pop_front();
  b.collector->page_moved(Superblock(0), MoveEnd::not_written, 0);  // its page is still valid
  CHECK(b.erases.empty());
  CHECK(b.blocks.state(Superblock(0)) == State::full);
  b.collector->check(FtlPlane(0), 0);
  CHECK(b.moves.empty());
}

}  // namespace
}  // namespace nandscape::controller
