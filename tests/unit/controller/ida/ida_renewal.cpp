// SPDX-License-Identifier: Apache-2.0
#include "controller/ida/ida_renewal.h"

#include "catch.h"
#include "controller/migration/migrator.h"
#include "fakes/fake_drive.h"

namespace nandscape::controller {
namespace {

// A full block with units 0 to 5. Units 0 and 3, which were in LSB pages, are then overwritten and so become invalid.
struct Bench final : FakeDrive {
  Bench() : FakeDrive(one_plane, with_ages()) {
    migrator.connect(collector);
    connect(migrator, *this);
    collector.set_renewal(engine);
    reading.reader.set_copies(engine.copies());
    write_all(0, 6);
    renewed = block(1);
    write(0, 100);
    write(3, 103);
  }
  static ControllerParameters with_ages() {
    ControllerParameters p = small_controller();
    p.refresh.policy.name = "period";
    return p;
  }
  static WordlineChoice all_wordlines() {
    RefreshContext flash;
    flash.pages_per_wordline = 3;
    flash.read_us = [](std::uint32_t, std::uint32_t) { return 50.0; };
    return WordlineChoice(StayingWordlines::all, flash);
  }
  void refresh() {
    collector.empty(renewed, Reason::refresh, calendar.now());
    run();
    CHECK_FALSE(engine.copies().at_risk());
    CHECK(at_rest());
  }
  bool in_place(std::uint64_t lpn) const { return block(lpn) == renewed; }

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
  IdaRenewal engine{{},
                    all_wordlines(),
                    {reading.io, mapping.blocks, mapping.ages, reading.reader, migrator, collector, calendar, 1}};
  Superblock renewed;
};

TEST_CASE("pages stay whose wordlines have no valid LSB page, and each is read back after its adjustment") {
  Bench b;
  b.refresh();
  for (const std::uint64_t lpn : {1, 2, 4, 5}) CHECK(b.in_place(lpn));
  const RenewalCounters counters = b.engine.counters();
  CHECK(counters.blocks == 1);
  CHECK(counters.valid_pages == 4);
  CHECK(counters.moved_pages == 0);
  CHECK(counters.adjusted_wordlines == 2);
  CHECK(counters.read_back_pages == 4);
  CHECK(b.flash.count(NandOperation::adjust_voltage) == 2);
  CHECK(b.erases.empty());
}

TEST_CASE("a valid LSB page moves before its wordline is adjusted") {
  Bench b;
  b.renewed = b.block(0);
  b.write_all(20, 4);  // fills the block of unit 0: units 0 and 3 are now in its LSB page and its CSB page
  b.refresh();
  CHECK_FALSE(b.in_place(0));
  CHECK(b.value(0) == 100);
  CHECK(b.in_place(3));
}

TEST_CASE("a block is renewed only by a refresh, and only once") {
  Bench b;
  CHECK_FALSE(b.engine.renews(b.renewed, Reason::read_disturb, 0));
  CHECK(b.engine.renews(b.renewed, Reason::refresh, 0));
  b.mapping.blocks.set_renewed(b.renewed);
  CHECK_FALSE(b.engine.renews(b.renewed, Reason::refresh, 0));
}

TEST_CASE("a page that an adjustment corrupts is written elsewhere from its copy") {
  Bench b;
  FakeFlash::Page& corrupted = b.page(b.place(4));
  b.flash.begins = [&](ChannelId, const NandCommand& command) {
    if (command.operation != NandOperation::adjust_voltage) return;
    corrupted.errors = FakeFlash::hopeless;
  };
  b.refresh();
  CHECK(b.engine.counters().written_back_pages == 1);
  CHECK_FALSE(b.in_place(4));
  CHECK(b.value(4) == 4);
  CHECK(b.in_place(5));
}

TEST_CASE("a failed adjustment loses no data, and the block is given up") {
  Bench b;
  b.flash.fails = [](const NandCommand& command) { return command.operation == NandOperation::adjust_voltage; };
  b.refresh();
  CHECK(b.engine.counters().failed_wordlines == 1);
  for (const std::uint64_t lpn : {1, 2, 4, 5}) {
    CHECK_FALSE(b.in_place(lpn));
    CHECK(b.value(lpn) == static_cast<int>(lpn));
  }
  CHECK(b.retired == std::vector{b.renewed});
}

}  // namespace
}  // namespace nandscape::controller
