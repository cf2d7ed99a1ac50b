// SPDX-License-Identifier: Apache-2.0
#include "controller/host_io/journal_client.h"

#include "catch.h"
#include "fakes/fake_drive.h"

namespace nandscape::controller {
namespace {

struct Bench final : FakeDrive {
  Bench() : FakeDrive(two_planes, without_capacitor()) { journal.set_client(engine); }

  BlockErases erases{reading.io, journal, power, calendar};
  HostFlushes flushes{writing.writer.ledger(), journal, power, port};
  JournalClient engine{mapping.map, mapping.blocks, mapping.trimmed, writing.units, writing.writer.ledger().undurable(),
                       collector,   erases,         flushes,         power};
};

TEST_CASE("the journal takes a block of the plane with most free ones, but not collection's reserve") {
  Bench b;
  BlockTable& blocks = b.mapping.blocks;
  blocks.take_free(FtlPlane(0));
  const Superblock block = b.engine.take_journal_block(false, 0);
  CHECK(blocks.geometry().plane_of(block) == FtlPlane(1));
  CHECK(blocks.state(block) == BlockTable::State::journal);
  for (const FtlPlane plane : {FtlPlane(0), FtlPlane(1)}) {
    while (blocks.free_blocks(plane) > 1) blocks.take_free(plane);
  }
  CHECK_FALSE(b.engine.take_journal_block(false, 0).valid());
  CHECK(b.engine.take_journal_block(true, 0).valid());
}

TEST_CASE("trims keep their versions only where older data may still come back") {
  Bench b;
  b.mapping.trimmed.add({Lpn(0), 4, b.mapping.map.next_version()});
  FakeUnit unit(b);
  unit.lpn = Lpn(2);
  b.writing.units.in_flight().insert(unit);
  const std::uint64_t newest = b.mapping.map.next_version();
  std::vector<TrimRecord> records;
  b.engine.collect_trims(records);
  REQUIRE(records.size() == 3);
  CHECK(records[0].count == 2);
  CHECK(records[0].version == newest);
  CHECK(records[1].first == Lpn(2));
  CHECK(records[1].version == newest - 1);
  CHECK(records[2].version == newest);
}

TEST_CASE("erases and flushes go on once the trims are durable") {
  Bench b;
  b.mapping.trimmed.add({Lpn(0), 1, 1});
  b.journal.record({Lpn(0), 1, 1});
  PageAccess flush = make_access(AccessKind::flush, 0);
  b.flushes.flush(flush, 0);
  b.erases.erase(Superblock(20), 0);
  CHECK(b.erases.waiting() == 1);
  b.run();
  CHECK(b.host.time_of(flush).has_value());
  CHECK(flush.status == AccessStatus::ok);
  CHECK(b.flash.count(NandOperation::erase) == 1);
}

TEST_CASE("if no block will become free, flushes of trims fail") {
  Bench b;
  PageAccess flush = make_access(AccessKind::flush, 0);
  b.journal.record({Lpn(0), 1, 1});
  b.flushes.flush(flush, 0);
  b.collector.stop();
  b.engine.journal_waits(0);
  CHECK(b.host.time_of(flush).has_value());
  CHECK(flush.status == AccessStatus::write_protected);
}

}  // namespace
}  // namespace nandscape::controller
