// SPDX-License-Identifier: Apache-2.0
#include "controller/writing/page_writer.h"

#include "catch.h"
#include "unit/controller/writing_bench.h"

namespace nandscape::controller {
namespace {

using Lpns = std::vector<std::uint64_t>;

TEST_CASE("a page is durable once its wordline is complete") {
  WritingBench b;
  b.write(1);
  b.write(2);
  b.run();
  CHECK(b.programmed == Lpns{1, 2});
  CHECK(b.durable.empty());
  CHECK(b.writer->ledger().undurable().count() == 2);
  CHECK(b.writer->ledger().undurable().oldest_new() == 1);
  b.write(3);
  b.run();
  CHECK(b.durable.size() == 3);
  CHECK(b.writer->ledger().undurable().count() == 0);
  CHECK(b.io->in_use() == 0);
}

TEST_CASE("padding completes wordlines, and pending pages count towards completion") {
  WritingBench b;
  const int pages = GENERATE(1, 2, 4);
  for (int k = 0; k < pages; ++k) b.write(static_cast<std::uint64_t>(k));
  b.run();
  b.write(10);
  b.writer->ledger().complete_wordlines();
  b.run();
  CHECK(b.durable.size() == static_cast<std::size_t>(pages + 1));
  CHECK(b.programs() % 3 == 0);
  CHECK(b.writer->counters().padding_pages == static_cast<std::uint64_t>(b.programs() - pages - 1));
}

TEST_CASE("moved pages need not become durable when only new data must") {
  WritingBench b;
  b.write(1, WritingBench::moved_stream, Ppa(30));
  b.run();
  CHECK(b.writer->ledger().undurable().count() == 1);
  CHECK(b.writer->ledger().undurable().oldest_new() == 0);
  b.writer->ledger().complete_wordlines();
  b.run();
  CHECK(b.writer->counters().padding_pages == 0);
  b.units.back().held_back = Superblock(5);
  b.writer->ledger().complete_wordlines_for(FtlPlane(0));
  b.run();
  CHECK(b.durable == Lpns{1});
}

TEST_CASE("when a program fails its wordline is written elsewhere, and completed on request") {
  WritingBench b;
  b.write(1);
  b.run();
  b.writer->ledger().complete_wordlines();
  b.failing_program = GENERATE(2, 3);  // one of the two padding pages
  b.run();
  CHECK(b.rewritten == Lpns{1});
  CHECK(b.durable == Lpns{1});
  CHECK(b.units.front().place.valid());
  CHECK_FALSE(b.blocks.failing(b.layout.block_of(b.units.front().place)));
  CHECK(b.writer->ledger().undurable().count() == 0);
  CHECK(b.io->in_use() == 0);
}

TEST_CASE("a wordline is completed although a page before it has no place") {
  WritingBench b(1, 0, 3);
  b.write(1);  // opens a block
  // Opens another block; the last free block is reserved for collection.
  b.write(2, WritingBench::moved_stream, Ppa(0));
  b.run();
  b.write(3, 2);  // in another stream, for which there is no block
  b.write(4);     // waits behind the previous write
  b.run();
  CHECK(b.programmed == Lpns{1, 2});
  b.writer->ledger().complete_wordlines();
  b.run();
  CHECK(b.durable == Lpns{1});
  // When a block becomes free again, both waiting writes must continue.
  const Superblock block = b.layout.block_of(b.units[1].place);
  b.blocks.set_state(block, BlockTable::State::erasing);
  b.blocks.erased(block);
  b.scheduler.places_changed(FlashPlane(0), b.calendar.now());
  b.run();
  CHECK(b.programmed == Lpns{1, 2, 3, 4});
}

TEST_CASE("while the power fails, saving leaves collection the last free block, and its open block") {
  const std::uint32_t blocks = GENERATE(2u, 3u);
  CAPTURE(blocks);
  WritingBench b(1, 0, blocks);
  b.write(0);                                       // opens a block
  b.write(99, WritingBench::moved_stream, Ppa(0));  // opens another block
  b.run();
  b.lose_power(Unanswered::written);
  for (std::uint64_t k = 1; k < 14; ++k) b.write(k, k % 2 == 0 ? WritingBench::host_stream : 2);
  b.run();
  // Saving may use all pages of open blocks. In the block reserved for collection, it only completes the wordline that
  // has been begun.
  const bool last = blocks == 2;
  CHECK(b.blocks.free_blocks(FtlPlane(0)) == (last ? 0 : 1));
  CHECK(b.programmed.size() == (last ? 6 + 1 : 6 + 6));
  CHECK(b.blocks.next_page(b.layout.block_of(b.units[1].place)) == (last ? 3 : 6));
}

TEST_CASE("while the power fails, unanswered writes wait, and wordlines are completed nevertheless") {
  WritingBench b;
  b.write(1);
  b.run();
  b.lose_power(Unanswered::given_up);
  for (std::uint64_t k = 2; k < 9; ++k) b.write(k);
  b.writer->ledger().complete_wordlines();
  b.run();
  CHECK(b.programmed == Lpns{1});
  CHECK(b.durable == Lpns{1});
  CHECK(b.writer->ledger().undurable().count() == 0);
}

TEST_CASE("rows and wordlines are completed on all dies of a stripe set") {
  const std::uint32_t dies = GENERATE(2u, 3u, 4u);
  const std::uint64_t pages = GENERATE(1u, 2u, 5u);
  WritingBench b(dies, dies);
  for (std::uint64_t k = 0; k < pages; ++k) b.write(k);
  b.run();
  b.writer->ledger().complete_wordlines();
  b.run();
  CHECK(b.durable.size() == pages);
  CHECK(b.writer->frontier().open_groups() == 0);
  CHECK(b.programs() % static_cast<int>(3 * dies) == 0);
  CHECK(b.writer->frontier().added_pages() * dies == static_cast<std::uint64_t>(b.programs()));
  CHECK(b.io->in_use() == 0);
}

TEST_CASE("whichever program of a stripe fails, all its data become durable in another superblock") {
  const std::uint32_t dies = GENERATE(2u, 3u);
  WritingBench b(dies, dies);
  b.failing_program = GENERATE(range(1, 10));
  CAPTURE(dies, b.failing_program);
  for (std::uint64_t k = 0; k < 3; ++k) b.write(k);
  b.run();
  b.writer->ledger().complete_wordlines();
  b.run();
  CHECK(b.durable.size() == 3);
  CHECK(b.writer->ledger().undurable().count() == 0);
  CHECK(b.writer->frontier().open_groups() == 0);
  CHECK(b.io->in_use() == 0);
  CHECK_FALSE(b.ended);
}

}  // namespace
}  // namespace nandscape::controller
