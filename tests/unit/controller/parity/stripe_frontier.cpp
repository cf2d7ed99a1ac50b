// SPDX-License-Identifier: Apache-2.0
#include "controller/parity/stripe_frontier.h"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <utility>
#include <vector>

#include "catch.h"
#include "controller/mapping/page_tag.h"
#include "unit/controller/writing_bench.h"

namespace nandscape::controller {
namespace {

// One stripe set of three dies, whose superblocks have six rows. By default, wordlines have one page, so that each page
// is durable at once.
struct StripeBench final : WritingBench {
  struct Program {
    std::uint32_t die;
    std::uint32_t row;
    bool parity;

    bool operator==(const Program&) const = default;
  };

  StripeBench() : StripeBench(nullptr, 1, 0) {}
  // Uses wordlines of three pages, except in blocks of write mode 9.
  explicit StripeBench(WriteModePolicy& write_mode) : StripeBench(&write_mode, pages_per_wordline, 9) {}

  const WriteFrontier& frontier() const { return writer->frontier(); }

  std::vector<Program> sent;
  std::vector<ProgramMode> modes;

 private:
  StripeBench(WriteModePolicy* write_mode, std::uint32_t wordline, std::uint8_t slc_mode)
      : WritingBench(3, 3, 6, write_mode, wordline, PageContent::none, slc_mode) {
    flash.begins = [this](ChannelId channel, const NandCommand& command) {
      sent.push_back({channel.value, command.page, (command.tag[0] & parity_mark) != 0});
      modes.push_back(command.mode);
    };
  }
};

TEST_CASE("rows fill one after the other, and the last page of each writes its parity") {
  StripeBench b;
  for (std::uint32_t row = 0; row < 6; ++row) {
    b.write(0);
    b.run();
    CHECK(b.frontier().open_groups() == 1);
    b.write(1);
    b.run();
    CHECK(b.frontier().open_groups() == 0);
    CHECK(b.sent.back() == StripeBench::Program{row % 3, row, true});
  }
  CHECK(b.sent.size() == 18);
  CHECK(b.frontier().added_pages() == 6);
  CHECK(b.io->in_use() == 0);
}

TEST_CASE("a page waits where its member's next row holds parity") {
  StripeBench b;
  for (std::uint64_t lpn = 0; lpn < 3; ++lpn) b.write(lpn);
  // Die 0 holds the parity page of row 0. The third page is therefore the first data page of die 0, and belongs to row
  // 1. The test encodes this page before the other two.
  std::swap(b.ecc.jobs.front(), b.ecc.jobs.back());
  b.encode();
  b.calendar.run_until(never);
  CHECK(b.sent.empty());
  std::ostringstream waiting;
  b.writer->list_waiting(waiting);
  CHECK_THAT(waiting.str(), ContainsSubstring("1 pages wait for the parity of row 0"));
  b.run();
  std::vector<StripeBench::Program> of_die_0;
  std::ranges::copy_if(b.sent, std::back_inserter(of_die_0), [](const auto& program) { return program.die == 0; });
  CHECK(of_die_0 == std::vector<StripeBench::Program>{{0, 0, true}, {0, 1, false}});
}

TEST_CASE("the count of missing rows excludes parity rows") {
  StripeBench b;
  CHECK(b.frontier().missing(0, FlashPlane(0), 6) == 4);
  CHECK(b.frontier().missing(0, FlashPlane(1), 2) == 1);
  b.write(0);
  b.run();
  CHECK(b.frontier().missing(0, FlashPlane(1), 6) == 3);
  CHECK(b.frontier().next(0, FlashPlane(1)) == 1);
}

TEST_CASE("a failed program gives up its superblock and the open rows") {
  StripeBench b;
  b.failing_program = 1;
  b.write(0);
  b.encode();
  const Superblock block = b.frontier().open_block(0, FlashPlane(1));
  REQUIRE(block.valid());
  b.run();
  CHECK(b.blocks.failing(block));
  CHECK(b.frontier().open_block(0, FlashPlane(1)) != block);
  CHECK(b.frontier().open_groups() == 1);  // the row to which the page was written instead
  CHECK(b.programmed == std::vector<std::uint64_t>{0});
}

TEST_CASE("the last page of a superblock leaves no room, even while other members still have pages to write") {
  StripeBench b;
  CHECK_FALSE(b.frontier().has_room(0, FtlPlane(0)));
  for (std::uint64_t page = 0; page < 11; ++page) {
    b.write(page % 8);
    b.run();
    CHECK(b.frontier().has_room(0, FtlPlane(0)));
  }
  const Superblock block = b.frontier().open_block(0, FlashPlane(1));
  b.write(7);
  CHECK(b.frontier().open_block(0, FlashPlane(1)) == block);
  CHECK_FALSE(b.frontier().has_room(0, FtlPlane(0)));
}

// A policy that gives blocks opened for the host a mode with one page per wordline.
struct OneBitForHost final : WriteModePolicy {
  std::uint8_t mode_of_block(Superblock, PageOrigin opened_for, Tick) override {
    return expected_mode(FtlPlane(0), opened_for);
  }
  std::uint8_t expected_mode(FtlPlane, PageOrigin opened_for) const override {
    return opened_for == PageOrigin::host ? 9 : 0;
  }
  std::uint16_t step_mv(const PlacedPage& page) override { return static_cast<std::uint16_t>(1 + page.type); }
};

TEST_CASE("a superblock with fewer rows is complete after them, and its pages are durable at once") {
  OneBitForHost mode;
  StripeBench b(mode);
  std::vector<Superblock> blocks;
  for (std::uint64_t lpn = 0; lpn < 4; ++lpn) {
    const UnitWrite& unit = b.write(lpn);
    b.run();
    blocks.push_back(b.layout.block_of(unit.place));
    CHECK(b.durable.size() == lpn + 1);
  }
  CHECK(b.blocks.shape(blocks.front()).rows == 2);
  CHECK(b.blocks.state(blocks.front()) == BlockTable::State::full);
  CHECK(std::ranges::count(blocks, blocks.front()) == 4);
  CHECK(b.sent == std::vector<StripeBench::Program>{
                      {1, 0, false}, {2, 0, false}, {0, 0, true}, {0, 1, false}, {2, 1, false}, {1, 1, true}});
  CHECK(std::ranges::all_of(b.modes, [](ProgramMode m) { return m == ProgramMode::slc; }));
  // The next superblock must begin with its first row again.
  const UnitWrite& next = b.write(5);
  b.run();
  CHECK(b.layout.block_of(next.place) != blocks.front());
  CHECK(b.sent.back() == StripeBench::Program{1, 0, false});
}

TEST_CASE("pages that were assigned before their superblock was opened get the rows that it has") {
  OneBitForHost mode;
  StripeBench b(mode);
  for (std::uint64_t lpn = 0; lpn < 8; ++lpn) b.write(lpn);
  b.run();
  CHECK(b.durable.size() == 8);
  CHECK(b.sent.size() == 12);
  CHECK(b.frontier().open_groups() == 0);
  for (const StripeBench::Program& program : b.sent) CHECK(program.row < 2);
  CHECK(b.io->in_use() == 0);
}

TEST_CASE("a superblock whose members have reached the same row is continued") {
  StripeBench b;
  const Superblock block = b.blocks.take_free(FtlPlane(0));
  b.blocks.reopen(block, 4 * b.layout.units_per_row(), 0);
  b.writer->resume_block(0, FtlPlane(0), block, 4);
  CHECK(b.frontier().has_room(0, FtlPlane(0)));
  for (std::uint64_t lpn = 0; lpn < 2; ++lpn) {
    const UnitWrite& unit = b.write(lpn);
    b.run();
    CHECK(b.layout.block_of(unit.place) == block);
  }
  REQUIRE(b.sent.size() == 3);
  for (const StripeBench::Program& program : b.sent) CHECK(program.row == 4);
  CHECK(b.sent.back() == StripeBench::Program{1, 4, true});
}

}  // namespace
}  // namespace nandscape::controller
