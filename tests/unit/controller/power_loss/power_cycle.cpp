// SPDX-License-Identifier: Apache-2.0
#include "controller/power_cycle.h"

#include "catch.h"
#include "unit/controller/host_side.h"

namespace nandscape::controller {
namespace {

TEST_CASE("a save halts collection, demands the journal once, and makes flushes wait for the cells") {
  HostSide b;
  b.write(0);
  b.submit(AccessKind::trim, 5);
  b.run();
  b.power_cycle.save(b.calendar.now(), Unanswered::written, TrimRecords::journal);
  b.power_cycle.save(b.calendar.now(), Unanswered::written, TrimRecords::journal);
  CHECK_FALSE(b.power.programmed_is_durable());
  const PageAccess& flush = b.submit(AccessKind::flush, 0);
  CHECK_FALSE(b.done(flush));
  b.on_trims_durable = [&](Tick now) {
    b.flushes.trims_durable();
    b.flushes.page_durable(now);
  };
  b.run();
  CHECK(b.done(flush));
  CHECK(b.journal.pages() == 3);  // one wordline
  CHECK(b.durable == std::vector<std::uint64_t>{0});
}

TEST_CASE("a save for a checkpoint writes no journal, since the checkpoint holds the trims") {
  HostSide b;
  b.write(0);
  b.submit(AccessKind::trim, 5);
  b.run();
  const std::uint64_t pages = b.journal.pages();
  b.power_cycle.save(b.calendar.now(), Unanswered::written, TrimRecords::checkpoint);
  b.run();
  CHECK(b.journal.pages() == pages);
}

TEST_CASE("the room for a save is the free blocks but two of each plane, and the open blocks of the host") {
  HostSide b;
  CHECK(b.power_cycle.save_room() == 10 * 6);
  b.write(0);
  CHECK(b.power_cycle.save_room() == 9 * 6 + 5);
}

TEST_CASE("after the recovery, waiting accesses begin and failing blocks are emptied") {
  HostSide cut;
  cut.write_all(0, 6);
  HostSide b(small_controller(), StartUp::from_flash);
  b.flash.pages = cut.flash.pages;
  b.mapping.blocks.set_failing(cut.block(0));
  bool told = false;
  b.power_cycle.recover(0, [&] { told = true; });
  const PageAccess& write = b.submit(AccessKind::write, 9);
  CHECK_FALSE(told);
  b.run();
  CHECK(told);
  CHECK(b.done(write));
  CHECK(b.value(4) == 4);
  REQUIRE(b.moves.size() == 6);
  CHECK(b.mapping.layout.block_of(b.moves[0].first_unit) == cut.block(0));
  CHECK(b.moves[0].reason == Reason::failure);
}

}  // namespace
}  // namespace nandscape::controller
