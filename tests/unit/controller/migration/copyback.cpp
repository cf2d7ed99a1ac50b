// SPDX-License-Identifier: Apache-2.0
#include "controller/migration/copyback.h"

#include "catch.h"
#include "fakes/fake_drive.h"

namespace nandscape::controller {
namespace {

struct Bench final : FakeDrive {
  Bench() : FakeDrive(one_plane, with_copyback()) {
    write_all(0, 6);
    unit.lpn = Lpn(0);
    unit.source = place(0);
  }
  static ControllerParameters with_copyback() {
    ControllerParameters p = without_capacitor();
    p.garbage_collection.copyback = true;
    p.garbage_collection.copyback_limit = 2;
    return p;
  }
  // Moves unit 0, and completes the wordline of the copy so that it becomes durable.
  void move() {
    old = place(0);
    writing.writer.assembled(copyback.make(old, chosen.stream_ids.reserve, unit));
    run();
    writing.writer.ledger().complete_wordlines_for(FtlPlane(0));
    run();
  }

  Copyback copyback{
      parameters.garbage_collection, reading.io, mapping.blocks, mapping.room, reading.reader, writing.writer};
  FakeUnit unit{*this};
  Ppa old;
};

TEST_CASE("only intact data that move for room or wear are copied back, and only a few times in a row") {
  Bench b;
  CHECK(b.copyback.may_move(b.unit, Reason::space));
  CHECK(b.copyback.may_move(b.unit, Reason::wear));
  for (const Reason reason : {Reason::errors, Reason::refresh, Reason::read_disturb, Reason::failure}) {
    CHECK_FALSE(b.copyback.may_move(b.unit, reason));
  }
  b.unit.lost = true;
  CHECK_FALSE(b.copyback.may_move(b.unit, Reason::space));
  b.unit.lost = false;
  b.mapping.blocks.copied(b.block(0), b.block(0));
  CHECK(b.copyback.may_move(b.unit, Reason::space));
  b.mapping.blocks.copied(b.block(0), b.block(0));
  CHECK_FALSE(b.copyback.may_move(b.unit, Reason::space));
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
