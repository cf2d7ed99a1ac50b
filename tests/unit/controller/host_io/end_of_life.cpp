// SPDX-License-Identifier: Apache-2.0
#include "controller/host_io/end_of_life.h"

#include "catch.h"
#include "fakes/fake_drive.h"

namespace nandscape::controller {
namespace {

struct Bench final : FakeDrive, EndOfLife::Accesses {
  explicit Bench(const Geometry& g = one_plane, const ControllerParameters& p = small_controller()) : FakeDrive(g, p) {}
  bool wait_for_programs() const override { return pending; }
  void give_up(Tick) override { pending = false; }

  // Ends a program on the die.
  void end_program(std::uint32_t die, NandStatus status) {
    PageProgram& page = writing.writer.make_page(PageOrigin::host, 0, FtlPlane(0));
    page.plane = FlashPlane(die);
    page.command.status = status;
    engine.program_ended(page, calendar.now());
  }

  bool pending = false;
  Components components{&writing.units};
  EndOfLife engine{
      {mapping.layout, mapping.room, collector, writing.writer, journal, power, port, *this, components, calendar}};
};

TEST_CASE("a drive that takes no more is read-only at once, and stops collection in an event of its own") {
  Bench b;
  FakeUnit unit(b);
  b.writing.units.in_flight().insert(unit);
  b.engine.take_no_more("the reason", 0);
  CHECK(b.engine.read_only());
  CHECK_FALSE(b.collector.stopped());
  b.run();
  CHECK(b.collector.stopped());
  CHECK(b.engine.stalls() == 1);
  CHECK_THAT(b.engine.report(), ContainsSubstring("the reason") && ContainsSubstring("1 units are being written"));
}

TEST_CASE("a stall first ends writing, then the accesses that still wait") {
  Bench b;
  b.pending = true;
  CHECK(b.engine.end_stall(0));
  b.run();
  CHECK(b.engine.read_only());
  CHECK(b.mapping.room.no_place_left());
  CHECK(b.pending);
  CHECK(b.engine.end_stall(0));
  b.run();
  CHECK_FALSE(b.pending);
  CHECK_FALSE(b.engine.end_stall(0));
  CHECK(b.engine.stalls() == 2);
}

TEST_CASE("the host hears of retired blocks, and the drive is read-only once its data no longer fit") {
  ControllerParameters p = small_controller();
  p.mapping.over_provisioning = 5;
  Bench b(one_plane, p);
  const std::uint32_t blocks = b.mapping.layout.mapping().blocks();
  std::uint32_t retired = 0;
  for (; retired < blocks && !b.engine.read_only(); ++retired) {
    const Superblock block = b.mapping.blocks.take_free(FtlPlane(0));
    b.mapping.blocks.retire(block);
    b.engine.block_retired(block, 0);
    CHECK(b.host.health_changes == static_cast<int>(retired) + 1);
  }
  CHECK(b.mapping.capacity.of_plane(blocks - retired) <= b.mapping.map.units());
  CHECK(b.mapping.capacity.of_plane(blocks - retired + 1) > b.mapping.map.units());
}

TEST_CASE("with parity a die whose programs fail three times in a row is written no more") {
  ControllerParameters p = small_controller();
  p.parity.stripe_dies = 3;
  Bench b(three_dies, p);
  for (const NandStatus status : {NandStatus::fail, NandStatus::fail, NandStatus::pass, NandStatus::fail}) {
    b.end_program(1, status);
  }
  b.end_program(2, NandStatus::fail);
  b.end_program(1, NandStatus::fail);
  CHECK(b.host.health_changes == 0);
  CHECK(b.mapping.room.with_room(FtlPlane(0), false).valid());
  b.end_program(1, NandStatus::fail);
  CHECK(b.host.health_changes == 1);
  CHECK_FALSE(b.mapping.room.with_room(FtlPlane(0), false).valid());
}

}  // namespace
}  // namespace nandscape::controller
