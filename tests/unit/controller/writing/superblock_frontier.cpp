// SPDX-License-Identifier: Apache-2.0
#include "controller/writing/superblock_frontier.h"

#include <vector>

#include "catch.h"
#include "unit/controller/writing_bench.h"

namespace nandscape::controller {
namespace {

constexpr Tick wait = millisecond;

// Two dies with two planes, and one superblock over all of them. A wordline has three pages, a block six.
struct SuperblockBench : WritingBench {
  struct Program {
    std::uint32_t die;
    std::uint32_t plane;
    std::uint32_t row;
    bool more_planes;  // whether the die waits for a page on another plane

    bool operator==(const Program&) const = default;
    friend std::ostream& operator<<(std::ostream& out, const Program& p) {
      return out << "die " << p.die << " plane " << p.plane << " row " << p.row << (p.more_planes ? " more" : "");
    }
  };

  SuperblockBench()
      : WritingBench(
            {.channels = 2, .planes_per_die = 2, .blocks_per_plane = 6, .pages_per_block = 6, .page_bytes = 4096},
            {.dies = 2, .all_planes = true}, wait) {
    flash.begins = [this](ChannelId channel, const NandCommand& command) {
      sent.push_back({channel.value, command.plane.value, command.page, command.more_planes});
    };
  }

  const WriteFrontier& frontier() const { return writer->frontier(); }
  // Runs until nothing happens any more, but not beyond the current time.
  void run_now() {
    do {
      while (encode()) {
      }
      calendar.run_until(calendar.now() + 1);
    } while (send());
  }

  std::vector<Program> sent;
};

using Program = SuperblockBench::Program;

TEST_CASE("pages fill a row die by die, with one operation for the planes of a die") {
  SuperblockBench b;
  for (std::uint64_t lpn = 0; lpn < 8; ++lpn) b.write(lpn);
  b.run_now();
  // The two dies are on different channels, and work at the same time.
  CHECK(b.sent == std::vector<Program>{{0, 0, 0, true},
                                       {1, 0, 0, true},
                                       {0, 1, 0, false},
                                       {1, 1, 0, false},
                                       {0, 0, 1, true},
                                       {1, 0, 1, true},
                                       {0, 1, 1, false},
                                       {1, 1, 1, false}});
  CHECK(b.programmed.size() == 8);
}

TEST_CASE("a page that is written alone does not wait") {
  SuperblockBench b;
  b.write(0);
  b.run_now();
  CHECK(b.sent == std::vector<Program>{{0, 0, 0, false}});
}

TEST_CASE("a page waits for the other pages of its row while others are being written") {
  SuperblockBench b;
  for (std::uint64_t lpn = 0; lpn < 3; ++lpn) b.write(lpn);
  b.run_now();
  CHECK(b.sent.size() == 2);
  std::ostringstream waiting;
  b.writer->list_waiting(waiting);
  CHECK_THAT(waiting.str(), ContainsSubstring("stream 0 on die 1: 1 pages wait for other pages of their row"));
  SECTION("until they arrive") {
    b.write(3);
    b.run_now();
    REQUIRE(b.sent.size() == 4);
    CHECK(b.sent[2] == Program{1, 0, 0, true});
    CHECK(b.sent[3] == Program{1, 1, 0, false});
  }
  SECTION("for a limited time") {
    b.run();
    CHECK(b.sent.back() == Program{1, 0, 0, false});
    CHECK(b.calendar.now() >= wait);
    // The late page of the row waits for nothing, and the next row begins with all planes again.
    b.write(3);
    for (std::uint64_t lpn = 4; lpn < 6; ++lpn) b.write(lpn);
    b.run_now();
    CHECK(std::vector(b.sent.end() - 3, b.sent.end()) ==
          std::vector<Program>{{1, 1, 0, false}, {0, 0, 1, true}, {0, 1, 1, false}});
  }
  SECTION("unless a flush sends them") {
    b.writer->ledger().complete_wordlines();
    b.run_now();
    CHECK(b.durable.size() == 2);
    CHECK(std::ranges::count(b.sent, Program{1, 0, 0, false}) == 1);
  }
}

TEST_CASE("a flush pads only the wordlines that hold data") {
  SuperblockBench b;
  b.write(0);
  b.run();
  b.writer->ledger().complete_wordlines();
  b.run();
  CHECK(b.durable.size() == 1);
  CHECK(b.writer->counters().padding_pages == 2);
  CHECK(b.frontier().next(0, FlashPlane(0)) == 3);
  CHECK(b.frontier().next(0, FlashPlane(1)) == 0);
  const Superblock block = b.frontier().open_block(0, FlashPlane(0));
  CHECK(b.frontier().programmed_rows(block, 0) == 3);
  CHECK(b.frontier().programmed_rows(block, 1) == 0);
  // The other members catch up.
  for (std::uint64_t lpn = 1; lpn < 8; ++lpn) b.write(lpn);
  b.run();
  CHECK(b.frontier().next(0, FlashPlane(0)) == 3);
  for (std::uint32_t plane = 1; plane < 4; ++plane) CHECK(b.frontier().next(0, FlashPlane(plane)) >= 2);
}

TEST_CASE("a failed program gives up the superblock, and its pages are written to the next one") {
  SuperblockBench b;
  b.failing_program = 3;
  b.write(0);
  b.run_now();
  const Superblock block = b.frontier().open_block(0, FlashPlane(0));
  for (std::uint64_t lpn = 1; lpn < 4; ++lpn) b.write(lpn);
  b.run();
  CHECK(b.blocks.failing(block));
  CHECK(b.frontier().open_block(0, FlashPlane(0)) != block);
  b.writer->ledger().complete_wordlines();
  b.run();
  CHECK(b.durable.size() == 4);
}

// Data may belong to either of the two streams of the host. Of the 24 pages of a superblock, padding may take a
// wordline of each of the four members.
TEST_CASE("the rest of the open superblocks can take the data of the host that must be saved") {
  SuperblockBench b;
  b.write(0);
  b.run();
  CHECK(b.writer->open_units() == 0);
  b.write(1, 1);
  b.run();
  CHECK(b.writer->open_units() == 23 - 12);
  for (std::uint64_t lpn = 2; lpn < 5; ++lpn) b.write(lpn, 1);
  b.run();
  CHECK(b.writer->open_units() == 20 - 12);
}

TEST_CASE("a superblock that is given up takes no more data") {
  SuperblockBench b;
  for (std::uint64_t lpn = 0; lpn < 4; ++lpn) b.write(lpn, 1);
  b.run();
  b.failing_program = b.programs() + 1;
  b.write(4);
  b.run();
  CHECK(b.writer->open_units() == 20 - 12);
  b.failing_program = b.programs() + 1;
  b.write(5, 1);
  b.run();
  // The pages of the superblock that was given up are written again.
  CHECK(b.writer->open_units() == 24 - 5 - 12);
}

TEST_CASE("a saved frontier continues at the rows of its members") {
  SuperblockBench b;
  b.write(0);
  b.run();
  b.writer->ledger().complete_wordlines();
  b.run();
  Archive saved;
  b.writer->persist(saved);
  const std::vector<std::byte> bytes = saved.take();
  SuperblockBench restored;
  const Superblock block = restored.blocks.take_free(FtlPlane(0));
  restored.blocks.append(block, 0, 3);
  Archive archive(bytes);
  restored.writer->persist(archive);
  CHECK(restored.frontier().next(0, FlashPlane(0)) == 3);
  CHECK(restored.frontier().next(0, FlashPlane(1)) == 0);
  SuperblockBench other;
  other.blocks.append(other.blocks.take_free(FtlPlane(0)), 0, 2);
  Archive again(bytes);
  CHECK_THROWS_WITH(other.writer->persist(again), ContainsSubstring("does not agree with the block table"));
}

}  // namespace
}  // namespace nandscape::controller
