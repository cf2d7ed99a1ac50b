// SPDX-License-Identifier: Apache-2.0
// Tests the order of programs, durability and failures when wordlines are programmed in two passes.
#include "controller/writing/second_passes.h"

#include <string>

#include "catch.h"
#include "unit/controller/writing_bench.h"

namespace nandscape::controller {
namespace {

using Lpns = std::vector<std::uint64_t>;

// One plane, whose blocks have three wordlines of three pages.
struct TwoPassBench : WritingBench {
  explicit TwoPassBench(std::uint32_t planes = 1, const SuperblockMembers& members = {})
      : WritingBench({.planes_per_die = planes, .blocks_per_plane = 8, .pages_per_block = 9, .page_bytes = 4096},
                     members, 0, nullptr, pages_per_wordline, PageContent::data, 0, 2) {}

  // Writes units with the given numbers.
  void write_all(std::uint64_t first, std::uint64_t end) {
    for (std::uint64_t lpn = first; lpn < end; ++lpn) write(lpn % 8, host_stream, Ppa(), bytes_of(lpn % 8));
    run();
  }
  static std::vector<std::byte> bytes_of(std::uint64_t lpn) {
    return std::vector<std::byte>(4096, static_cast<std::byte>(lpn + 1));
  }
  // Returns the programs that have been sent, such as "0 1 2 3 4 5 0' 1' 2'" for the pages of a block.
  std::string order() const {
    std::string text;
    for (const NandCommand& c : flash.sent) {
      text += (text.empty() ? "" : " ") + std::to_string(c.page) + (c.pass == ProgramPass::again ? "'" : "");
    }
    return text;
  }
  SecondPasses& passes() { return *writer->ledger().second_passes(); }
  bool settled() const { return writer->ledger().undurable().count() == 0 && io->in_use() == 0; }
};

TEST_CASE("the second pass of a wordline follows the first pass of the next one") {
  TwoPassBench b;
  b.write_all(0, 3);
  CHECK(b.order() == "0 1 2");
  CHECK(b.programmed == Lpns{0, 1, 2});
  CHECK(b.durable.empty());
  b.write_all(3, 5);
  CHECK(b.order() == "0 1 2 3 4");
  b.write_all(5, 6);
  CHECK(b.order() == "0 1 2 3 4 5 0' 1' 2'");
  CHECK(b.durable.size() == 3);
  // At the end of the block, both remaining wordlines get their second pass.
  b.write_all(6, 9);
  CHECK(b.order() == "0 1 2 3 4 5 0' 1' 2' 6 7 8 3' 4' 5' 6' 7' 8'");
  CHECK(b.durable.size() == 9);
  CHECK(b.settled());
  CHECK(b.passes().counters().pages == 9);
  CHECK(b.passes().counters().most_held_pages == 6);
}

TEST_CASE("pages that arrive early wait for the second pass of an earlier wordline") {
  TwoPassBench b;
  for (std::uint64_t lpn = 0; lpn < 12; ++lpn) b.write(lpn % 8, WritingBench::host_stream, Ppa(), b.bytes_of(lpn % 8));
  b.run();
  CHECK(b.order() == "0 1 2 3 4 5 0' 1' 2' 6 7 8 3' 4' 5' 6' 7' 8' 0 1 2");
  CHECK(b.durable.size() == 9);
}

TEST_CASE("a flush pads the next wordline too, and a wordline of padding gets no second pass") {
  TwoPassBench b;
  b.write_all(0, 2);
  b.writer->ledger().complete_wordlines();
  b.run();
  CHECK(b.order() == "0 1 2 3 4 5 0' 1' 2'");
  CHECK(b.durable == Lpns{1, 0});
  CHECK(b.writer->counters().padding_pages == 4);
  CHECK(b.settled());
  b.writer->ledger().complete_wordlines();
  b.write_all(2, 3);
  b.writer->ledger().complete_wordlines();
  b.run();
  // The wordline of padding is left out, and the last one needs no next one.
  CHECK(b.order() == "0 1 2 3 4 5 0' 1' 2' 6 7 8 6' 7' 8'");
  CHECK(b.settled());
}

TEST_CASE("a page is read from memory until its second pass") {
  TwoPassBench b;
  b.write_all(0, 3);
  const Ppa place = b.units.front().place;
  REQUIRE(b.passes().copies().hold(place));
  CHECK(b.passes().copies().of(place).bytes == b.bytes_of(0));
  b.write_all(3, 6);
  CHECK_FALSE(b.passes().copies().hold(place));
  CHECK(b.passes().copies().hold(b.units[3].place));
}

TEST_CASE("when a program fails, the pages that wait for their second pass are written elsewhere") {
  TwoPassBench b;
  // The programs are those of "0 1 2 3 4 5 0' 1' 2' 6 7 8 3' ...".
  b.failing_program = GENERATE(range(1, 19));
  CAPTURE(b.failing_program);
  b.write_all(0, 9);
  b.writer->ledger().complete_wordlines();
  b.run();
  CHECK(b.durable.size() == 9);
  CHECK(b.settled());
  for (const FakeUnit& unit : b.units) {
    if (b.map.find(unit.lpn) != unit.place) continue;
    const FakeFlash::Page& page = b.flash.page(b.layout.find(b.layout.block_of(unit.place), unit.place));
    CHECK(page.errors == 0);
    CHECK(page.data == b.bytes_of(unit.lpn.value));
  }
  CHECK(b.writer->counters().failed_programs == 1);
}

TEST_CASE("the planes of a superblock make their second passes together") {
  TwoPassBench b(2, {.dies = 1, .all_planes = true});
  b.write_all(0, 12);
  std::size_t again = 0, joined = 0;
  for (const NandCommand& c : b.flash.sent) {
    again += c.pass == ProgramPass::again;
    joined += c.pass == ProgramPass::again && c.more_planes;
  }
  CHECK(again == 6);
  CHECK(joined == 3);
  CHECK(b.durable.size() == 6);
}

}  // namespace
}  // namespace nandscape::controller
