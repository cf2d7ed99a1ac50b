// SPDX-License-Identifier: Apache-2.0
#include "controller/host_io/host_writes.h"

#include "catch.h"
#include "fakes/fake_drive.h"

namespace nandscape::controller {
namespace {

struct Bench final : FakeDrive, EndOfLife::Accesses {
  bool wait_for_programs() const override { return false; }
  void give_up(Tick) override {}

  // Writes sectors filled with `value`.
  PageAccess& submit(std::uint64_t lpn, int value, std::uint32_t first = 0, std::uint32_t count = 8) {
    Bytes& data = written.emplace_back(std::size_t{count} * sector_bytes, static_cast<std::byte>(value));
    PageAccess& access = submitted.emplace_back(make_access(AccessKind::write, lpn, first, count, data.data()));
    engine.write(access, calendar.now());
    return access;
  }
  bool done(const PageAccess& access) const { return host.time_of(access).has_value(); }
  int byte(std::uint64_t lpn, std::uint32_t sector) {
    return static_cast<int>(page(place(lpn)).data[std::size_t{sector} * sector_bytes]);
  }

  Components components;
  EndOfLife end_of_life{
      {mapping.layout, mapping.room, collector, writing.writer, journal, power, port, *this, components, calendar}};
  HostWrites engine{reading.io,
                    mapping.map,
                    writing.units,
                    reading.reader,
                    writing.assembly,
                    writing.writer.ledger().undurable(),
                    *chosen.streams,
                    cache.get(),
                    writing.planes,
                    end_of_life,
                    power,
                    port};
  std::deque<Bytes> written;
  std::deque<PageAccess> submitted;
};

TEST_CASE("a write of a whole unit is done once the unit is programmed and mapped") {
  Bench b;
  const PageAccess& access = b.submit(3, 5);
  CHECK_FALSE(b.done(access));
  b.run();
  CHECK(b.done(access));
  CHECK(b.value(3) == 5);
  CHECK(b.engine.sectors_written() == 8);
  CHECK(b.engine.merge_reads() == 0);
  CHECK(b.at_rest());
}

TEST_CASE("a write of a part keeps the rest of the unit, or zeroes if there was none") {
  Bench b;
  const bool existed = GENERATE(true, false);
  if (existed) b.write(3, 1);
  b.submit(3, 9, 2, 1);
  b.run();
  CHECK(b.byte(3, 1) == (existed ? 1 : 0));
  CHECK(b.byte(3, 2) == 9);
  CHECK(b.byte(3, 3) == (existed ? 1 : 0));
  CHECK(b.engine.merge_reads() == (existed ? 1 : 0));
  CHECK(b.engine.sectors_written() == 1);
}

TEST_CASE("a write of a part fails if the rest of the unit cannot be read, and changes nothing") {
  Bench b;
  const Ppa place = b.write(3, 1);
  b.damage(place);
  const PageAccess& access = b.submit(3, 9, 2, 1);
  b.run();
  CHECK(access.status == AccessStatus::unrecovered_read_error);
  CHECK(b.done(access));
  CHECK(b.place(3) == place);
  CHECK(b.at_rest());
}

TEST_CASE("writes to one unit are done one after the other") {
  Bench b;
  b.submit(3, 1);
  PageAccess& second = b.submit(3, 2);
  b.run();
  CHECK(b.value(3) == 1);
  REQUIRE(b.resumed == std::vector{&second});
  b.engine.write(second, b.calendar.now());
  b.run();
  CHECK(b.value(3) == 2);
}

TEST_CASE("a write for which no plane has room fails, and makes the drive read-only") {
  Bench b;
  b.mapping.room.set_no_place_left();
  const PageAccess& access = b.submit(3, 1);
  b.run();
  CHECK(access.status == AccessStatus::write_protected);
  CHECK(b.done(access));
  CHECK(b.end_of_life.read_only());
  CHECK_FALSE(b.place(3).valid());
}

}  // namespace
}  // namespace nandscape::controller
