// SPDX-License-Identifier: Apache-2.0
#include "controller/writing/write_mode.h"

#include "assign_parameters.h"
#include "catch.h"
#include "controller/mapping/page_tag.h"
#include "unit/controller/writing_bench.h"

namespace nandscape::controller {
namespace {

using Steps = std::vector<std::uint16_t>;

// A policy that gives mode 9 to blocks opened for host writes. The step of a program encodes the mode of its block and
// the type of its page.
struct Noting final : WriteModePolicy {
  std::uint8_t mode_of_block(Superblock block, PageOrigin opened_for, Tick) override {
    opened.push_back(block);
    return opened_for == PageOrigin::host ? 9 : 0;
  }
  std::uint16_t step_mv(const PlacedPage& page) override {
    blocks.push_back(page.page.block);
    return static_cast<std::uint16_t>(100 * page.block_mode + page.type);
  }

  std::vector<Superblock> opened, blocks;
};

TEST_CASE("the write mode policy is called for each placed page, with its block mode and its page of the wordline") {
  Noting mode;
  WritingBench b(1, 0, 6, &mode);
  for (std::uint64_t k = 0; k < 4; ++k) b.write(k);
  b.run();
  CHECK(mode.opened.size() == 1);
  CHECK(b.steps_mv() == Steps{900, 901, 902, 900});
  CHECK(b.blocks.write_mode(mode.opened.front()) == 9);
  // Moved pages are written to a separate block, which is not opened for the host.
  b.write(5, WritingBench::moved_stream, Ppa(30));
  b.run();
  CHECK(mode.opened.size() == 2);
  CHECK(b.steps_mv().back() == 0);
  CHECK(b.blocks.write_mode(mode.opened.back()) == 0);
  // If a moved page is written to a block opened for the host, it must be programmed in the mode of that block.
  b.write(6, WritingBench::host_stream, Ppa(31));
  b.run();
  CHECK(b.steps_mv().back() == 901);
  // Padding pages must also be programmed in the mode of the block.
  b.writer->ledger().complete_wordlines();
  b.run();
  CHECK(b.steps_mv().back() == 902);
  for (const Superblock block : mode.blocks) CHECK(block.valid());
}

TEST_CASE("a page in a block with one page per wordline is durable at once, and programmed in that mode") {
  struct OneBit final : WriteModePolicy {
    std::uint8_t mode_of_block(Superblock, PageOrigin opened_for, Tick) override {
      return expected_mode(FtlPlane(0), opened_for);
    }
    std::uint8_t expected_mode(FtlPlane, PageOrigin opened_for) const override {
      return opened_for == PageOrigin::host ? 9 : 0;
    }
    std::uint16_t step_mv(const PlacedPage& page) override {
      return static_cast<std::uint16_t>(100 * page.block_mode + page.type);
    }
  };
  OneBit mode;
  WritingBench b(1, 0, 6, &mode, WritingBench::pages_per_wordline, PageContent::none, 9);
  b.write(0);
  REQUIRE(b.encode());
  b.calendar.run_until(never);
  REQUIRE(b.flash.requests.size() == 1);
  CHECK(b.flash.requests.front().second->mode == ProgramMode::slc);
  b.run();
  CHECK(b.durable == std::vector<std::uint64_t>{0});
  const Superblock block = b.writer->frontier().open_block(WritingBench::host_stream, FlashPlane(0));
  REQUIRE(block.valid());
  CHECK(b.writer->open_units() == 1);  // one of the block's two pages
  b.write(1);
  b.run();
  CHECK(b.durable == std::vector<std::uint64_t>{0, 1});
  CHECK(b.blocks.state(block) == BlockTable::State::full);
  CHECK_FALSE(b.writer->frontier().has_block(WritingBench::host_stream, FlashPlane(0)));
  CHECK(b.steps_mv() == Steps{900, 900});
  // Moved pages are in ordinary blocks, so they become durable only when their wordline of three pages is full.
  for (std::uint64_t k = 2; k < 5; ++k) {
    CHECK(b.durable.size() == 2);
    b.write(k, WritingBench::moved_stream, Ppa(28 + k));
    b.run();
    CHECK(b.steps_mv().back() == k - 2);
  }
  CHECK(b.durable.size() == 5);
}

TEST_CASE("the write mode policy is called again for a page whose program failed, in its new block") {
  Noting mode;
  WritingBench b(1, 0, 6, &mode);
  b.failing_program = 2;
  for (std::uint64_t k = 0; k < 3; ++k) b.write(k);
  b.run();
  CHECK(b.durable.size() == 3);
  CHECK(mode.opened.size() == 2);
  CHECK(mode.blocks.back() == mode.opened.back());
  CHECK(b.steps_mv().size() == mode.blocks.size());
}

TEST_CASE("a parity page is programmed in the mode of its superblock, and its tag is the sum of the data tags") {
  Noting mode;
  WritingBench b(3, 3, 6, &mode);
  std::vector<std::uint64_t> sum{parity_mark, 0};
  for (std::uint64_t k = 0; k < 2; ++k) b.write(k);
  b.flash.begins = [&](ChannelId, const NandCommand& command) {
    for (std::size_t word = 0; word < 2; ++word) sum[word] ^= command.tag[word];
  };
  b.run();
  REQUIRE(b.steps_mv().size() == 3);
  CHECK(b.steps_mv() == Steps{900, 900, 900});
  CHECK(sum == std::vector<std::uint64_t>{0, 0});
}

TEST_CASE("a block is closed once its wordline is complete") {
  WritingBench b;
  b.write(0);
  b.run();
  const Superblock first = b.layout.block_of(b.units.front().place);
  const bool incomplete = GENERATE(true, false);
  if (!incomplete) {
    b.write(1);
    b.write(2);
    b.run();
  }
  b.writer->close_block(first);
  b.run();
  CHECK(b.blocks.state(first) == BlockTable::State::full);
  CHECK(b.writer->counters().padding_pages == (incomplete ? 2 : 0));
  CHECK(b.writer->ledger().undurable().count() == 0);
  b.write(3);
  b.run();
  CHECK(b.layout.block_of(b.units.back().place) != first);
  CHECK(b.layout.mapping().unit_in_block(b.units.back().place) == 0);
}

TEST_CASE("a superblock with parity is closed by filling it up") {
  WritingBench b(3, 3);
  const auto pages = GENERATE(std::uint64_t{1}, std::uint64_t{5}, std::uint64_t{11});
  for (std::uint64_t k = 0; k < pages; ++k) b.write(k % 8);
  b.run();
  const Superblock block = b.layout.block_of(b.units.front().place);
  REQUIRE(b.blocks.state(block) == BlockTable::State::open);
  b.writer->close_block(block);
  b.writer->close_block(block);
  b.run();
  CHECK(b.blocks.state(block) == BlockTable::State::full);
  CHECK(b.writer->counters().padding_pages == 12 - pages);  // six rows with one parity page each
  CHECK(b.writer->ledger().undurable().count() == 0);
  CHECK(b.io->in_use() == 0);
  b.write(3);
  b.run();
  CHECK(b.layout.block_of(b.units.back().place) != block);
}

TEST_CASE("retention relaxation programs host writes with a larger step") {
  const DriveClock clock(1);
  WriteModeParameters parameters;
  const auto make = [&](const WriteFacts& facts = {.step_mv = 200}) {
    return write_mode_registry().make(parameters.policy, {parameters, facts, clock});
  };
  WritingBench b;
  const PageProgram& page = b.writer->make_page(PageOrigin::host, WritingBench::host_stream, FtlPlane(0));
  parameters.kept_weeks = 10;
  for (const auto& [ratio, step] : {std::pair{1.86, 372}, std::pair{2.33, 466}}) {
    parameters.step_ratio = ratio;
    const auto mode = make();
    CHECK_FALSE(mode->plain());
    CHECK(mode->step_mv({page, 0, 7}) == step);
    CHECK(mode->step_mv({page, 1, 0}) == 0);  // in a block of normal mode
    CHECK(mode->mode_of_block(Superblock(0), PageOrigin::migration, 0) == 0);
    CHECK(mode->mode_of_block(Superblock(0), PageOrigin::mapping, 0) == 0);
    const auto errors = [](double mv) { return mv / 350; };
    CHECK_THROWS_WITH(make({.step_mv = 200, .young_errors = errors}), ContainsSubstring("times the errors"));
  }
}

TEST_CASE("writes that are kept like all others and ignore content are plain") {
  const DriveClock clock(1);
  const WriteModeParameters parameters;
  const auto mode = write_mode_registry().make(parameters.policy, {parameters, WriteFacts{}, clock});
  CHECK(mode->plain());
  CHECK(parameters.plain());
}

}  // namespace
}  // namespace nandscape::controller
