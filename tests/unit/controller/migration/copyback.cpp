// SPDX-License-Identifier: Apache-2.0
#include "controller/migration/copyback.h"

#include <vector>

#include "catch.h"
#include "fakes/fake_drive.h"

namespace nandscape::controller {
namespace {

struct Bench final : FakeDrive {
  explicit Bench(CopybackUse use = {.limit = 2}, const ControllerParameters& p = without_capacitor())
      : FakeDrive(one_plane, p),
        copyback(use, reading.io, mapping.blocks, mapping.ages, mapping.room, reading.reader, writing.writer) {
    write_all(0, 6);
    unit.lpn = Lpn(0);
    unit.source = place(0);
  }
  // Moves the unit, and completes the wordline of the copy so that it becomes durable.
  void move(std::uint64_t lpn = 0) {
    old = place(lpn);
    writing.writer.assembled(copyback.make(old, chosen.stream_ids.reserve, unit));
    run();
    writing.writer.ledger().complete_wordlines_for(FtlPlane(0));
    run();
  }

  bool may_move(Reason reason) const { return copyback.may_move(unit, reason, calendar.now()); }

  Copyback copyback;
  FakeUnit unit{*this};
  Ppa old;
};

TEST_CASE("only intact data that move for room or wear are copied back, and only a few times in a row") {
  Bench b;
  CHECK(b.may_move(Reason::space));
  CHECK(b.may_move(Reason::wear));
  for (const Reason reason : {Reason::errors, Reason::refresh, Reason::read_disturb, Reason::failure}) {
    CHECK_FALSE(b.may_move(reason));
  }
  CHECK_FALSE(b.may_move(Reason::fold));
  b.unit.lost = true;
  CHECK_FALSE(b.may_move(Reason::space));
  b.unit.lost = false;
  b.mapping.blocks.copied(b.block(0), b.block(0));
  CHECK(b.may_move(Reason::space));
  b.mapping.blocks.copied(b.block(0), b.block(0));
  CHECK_FALSE(b.may_move(Reason::space));
}

TEST_CASE("a page moves within the flash, and its data do not enter the controller") {
  Bench b;
  b.flash.sent.clear();
  b.move();
  CHECK(b.place(0) != b.old);
  CHECK(b.page(b.place(0)).data == b.page(b.old).data);
  CHECK(b.flash.count(NandOperation::copyback_read) == 1);
  CHECK(b.flash.count(NandOperation::copyback_program) == 1);
  CHECK(b.flash.count(NandOperation::read) == 0);
  CHECK(b.mapping.blocks.copies(b.block(0)) == 1);
}

TEST_CASE("a fold is copied with the tag of its new block") {
  ControllerParameters p = without_capacitor();
  p.mapping.over_provisioning = 6;
  p.slc_cache.static_percent = 25;
  p.slc_cache.fold_by = FoldBy::copyback;
  Bench b({.folds = true, .fold_hours = 24}, p);
  b.write(10, 10, b.cache->stream());
  b.unit.lpn = Lpn(10);
  b.unit.source = b.old = b.place(10);
  REQUIRE(b.mapping.blocks.shape(b.block(10)).cells == ProgramMode::slc);
  const std::vector<std::uint64_t> tag = b.page(b.old).tag;
  CHECK(write_mode_in(tag[0]) == slc_cache_mode);
  CHECK(b.may_move(Reason::fold));
  CHECK_FALSE(b.may_move(Reason::space));
  b.mapping.ages.store(25);
  CHECK_FALSE(b.may_move(Reason::fold));
  b.flash.sent.clear();
  b.move(10);
  CHECK(b.mapping.blocks.shape(b.block(10)).cells == ProgramMode::native);
  CHECK(b.flash.count(NandOperation::read) == 0);
  const FakeFlash::Page& page = b.page(b.place(10));
  CHECK(page.data == b.page(b.old).data);
  CHECK(lpn_in(page.tag[0]) == 10);
  CHECK(write_mode_in(page.tag[0]) == 0);
  CHECK(version_in(page.tag[1]) == version_in(tag[1]));
  CHECK(b.mapping.blocks.pinned(b.mapping.layout.block_of(b.old)) == false);
}

TEST_CASE("a page that loses its new place is read from the old one and written like others") {
  Bench b;
  b.flash.fails = [](const NandCommand& command) { return command.operation == NandOperation::copyback_program; };
  b.flash.sent.clear();
  b.move();
  CHECK(b.flash.count(NandOperation::read) == 1);
  CHECK(b.place(0) != b.old);
  CHECK(b.value(0) == 0);
  CHECK(b.flash.count(NandOperation::copyback_program) == 1);
}

}  // namespace
}  // namespace nandscape::controller
