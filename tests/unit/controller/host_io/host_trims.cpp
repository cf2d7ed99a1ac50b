// SPDX-License-Identifier: Apache-2.0
#include "controller/host_io/host_trims.h"

#include "catch.h"
#include "fakes/fake_drive.h"

namespace nandscape::controller {
namespace {

constexpr double entry_ns = 5;

struct Bench final : FakeDrive, HostTrims::Listener {
  explicit Bench(const ControllerParameters& p = small_controller()) : FakeDrive(one_plane, p) {
    engine.set_listener(*this);
    write_all(0, 6);
  }
  void trimmed(Lpn first, std::uint64_t, Tick) override { parts.push_back(first.value); }

  PageAccess& trim(std::uint64_t first, std::uint64_t count) {
    PageAccess& access = submitted.emplace_back(make_access(AccessKind::trim, first));
    access.page_count = count;
    engine.trim(access, calendar.now());
    return access;
  }

  HostTrims engine{mapping.map, mapping.blocks, mapping.cache, writing.units, mapping.trimmed, journal,
                   collector,   power,          port,          calendar,      entry_ns};
  std::deque<PageAccess> submitted;
  std::vector<std::uint64_t> parts;
};

TEST_CASE("trims unmap their units one after the other, and take a time for each unit") {
  Bench b;
  const Superblock block = b.block(0);
  const Tick start = b.calendar.now();
  const PageAccess& first = b.trim(0, 2);
  const PageAccess& second = b.trim(3, 20);
  CHECK(b.mapping.blocks.valid_pages(block) == 1);
  CHECK_FALSE(b.engine.idle());
  b.run();
  CHECK(b.host.time_of(first) == start + 10 * nanosecond);
  CHECK(b.host.time_of(second) == start + 110 * nanosecond);
  CHECK(b.parts == std::vector<std::uint64_t>{0, 3});
  for (const std::uint64_t lpn : {0, 1, 3, 4, 5}) CHECK_FALSE(b.place(lpn).valid());
  CHECK(b.value(2) == 2);
  CHECK(b.engine.idle());
}

TEST_CASE("a trim of the whole mapping leaves no valid unit, and no lost one") {
  Bench b;
  b.mapping.map.set_lost(Lpn(1));
  b.trim(0, b.mapping.map.units());
  CHECK(b.mapping.blocks.valid_in_plane(FtlPlane(0)) == 0);
  CHECK_FALSE(b.mapping.map.lost(Lpn(1)));
}

TEST_CASE("a trim waits for a write in flight, and later changes of its units wait for the trim") {
  Bench b;
  FakeUnit unit(b);
  unit.lpn = Lpn(2);
  b.writing.units.in_flight().insert(unit);
  PageAccess& trim = b.trim(1, 3);
  b.run();
  CHECK(b.place(1).valid());
  CHECK(b.engine.is_ahead_of(make_access(AccessKind::write, 3)));
  CHECK_FALSE(b.engine.is_ahead_of(make_access(AccessKind::write, 4)));
  b.writing.units.end(unit, false, b.calendar.now());
  REQUIRE(b.resumed == std::vector{&trim});
  b.engine.go_on(trim, b.calendar.now());
  CHECK_FALSE(b.place(1).valid());
  CHECK_FALSE(b.engine.is_ahead_of(make_access(AccessKind::write, 3)));
  b.run();
  CHECK(b.host.time_of(trim).has_value());
}

TEST_CASE("without a capacitor a trim is recorded in the journal") {
  const bool capacitor = GENERATE(true, false);
  Bench b(capacitor ? small_controller() : without_capacitor());
  b.trim(0, 2);
  CHECK(b.journal.pending() == !capacitor);
  CHECK(b.mapping.trimmed.records().size() == 1);
}

}  // namespace
}  // namespace nandscape::controller
