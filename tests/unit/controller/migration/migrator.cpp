// SPDX-License-Identifier: Apache-2.0
#include "controller/migration/migrator.h"

#include "catch.h"
#include "fakes/fake_drive.h"

namespace nandscape::controller {
namespace {

// A drive with one full block, which contains units 0 to 5.
struct Bench final : FakeDrive {
  explicit Bench(const ControllerParameters& p = small_controller()) : FakeDrive(one_plane, p) {
    migrator.connect(collector);
    connect(migrator, *this);
    write_all(0, 6);
    source = block(0);
  }
  void empty(Reason reason) { collector.empty(source, reason, calendar.now()); }

  Migrator migrator{{},
                    reading.io,
                    mapping.map,
                    mapping.blocks,
                    mapping.ages,
                    mapping.room,
                    writing.units,
                    reading.reader,
                    writing.writer,
                    writing.assembly,
                    *chosen.streams,
                    chosen.stream_ids,
                    calendar};
  Superblock source;
};

TEST_CASE("valid units move with their data and versions, and their block is then erased") {
  Bench b;
  b.write(2, 100);
  const std::uint64_t version = version_in(b.page(b.place(3)).tag[1]);
  b.empty(Reason::space);
  b.run();
  CHECK(b.collector.counters().moved_units == 5);
  CHECK(b.erases == std::vector{b.source});
  for (const std::uint64_t lpn : {0, 1, 3, 4, 5}) {
    CHECK(b.block(lpn) != b.source);
    CHECK(b.value(lpn) == static_cast<int>(lpn));
  }
  CHECK(b.value(2) == 100);
  CHECK(version_in(b.page(b.place(3)).tag[1]) == version);
  CHECK(b.at_rest());
}

TEST_CASE("a unit that the host overwrites during its move keeps the newer data") {
  Bench b;
  b.empty(Reason::space);
  b.write(4, 100);
  CHECK(b.value(4) == 100);
  CHECK(b.collector.counters().skipped_pages == 1);
  CHECK(b.erases == std::vector{b.source});
}

TEST_CASE("a unit that cannot be read is lost, and its new page says so") {
  Bench b;
  b.damage(b.place(1));
  b.empty(Reason::space);
  b.run();
  CHECK(b.mapping.map.lost(Lpn(1)));
  CHECK((b.page(b.place(1)).tag[0] & lost_bit) != 0);
  CHECK_FALSE(b.mapping.map.lost(Lpn(0)));
  CHECK(b.erases == std::vector{b.source});
}

TEST_CASE("data that stay for long go to a stream of their own") {
  const auto [reason, lasts] = GENERATE(table<Reason, bool>(
      {{Reason::space, false}, {Reason::failure, false}, {Reason::refresh, true}, {Reason::wear, true}}));
  Bench b;
  b.empty(reason);
  b.run();
  const WriteStreams& streams = b.chosen.stream_ids;
  CHECK(b.mapping.blocks.stream(b.block(0)) == (lasts ? streams.lasting : streams.reserve));
}

TEST_CASE("a page of moved units is written as soon as no more units can fill it") {
  ControllerParameters p = small_controller();
  p.mapping.unit_bytes = 2048;
  Bench b(p);  // a page has room for two units, but each page of the block is written with one unit
  b.write(1, 100);
  b.flash.sent.clear();
  b.empty(Reason::space);
  b.run();
  CHECK(b.collector.counters().moved_units == 5);
  CHECK(b.flash.count(NandOperation::program) == 3);
  CHECK(b.erases == std::vector{b.source});
  CHECK(b.value(5) == 5);
}

}  // namespace
}  // namespace nandscape::controller
