// SPDX-License-Identifier: Apache-2.0
// Tests the state of a die after a power loss, with ideal cells and with modelled cells.
#include "unit/nand/die_harness.h"

namespace nandscape::nand {
namespace {

using enum NandOperation;
using Tag = DieHarness::Tag;
constexpr Tick us = microsecond;

struct Powered : DieHarness {
  explicit Powered(bool with_cells) : DieHarness(with_cells ? &cells : nullptr) { cells.result = {0, 0}; }

  // Programs the first pages of a block. Each page gets different data and a different tag.
  void fill(std::uint32_t block, std::uint32_t pages) {
    for (std::uint32_t page = 0; page < pages; ++page) {
      data.fill(static_cast<std::byte>(page + 1));
      NandCommand& command = make(program, 0, block, page);
      command.data = data.data();
      Tag tag{page, block};
      command.tag = tag;
      complete(command, 0);
    }
  }
  NandCommand& read_back(std::uint32_t block, std::uint32_t page, Tag& tag) {
    NandCommand& command = make(read, 0, block, page);
    command.tag = tag;
    command.bytes = 512;
    command.data = data.data();
    complete(command, 100 * second);
    return command;
  }
  void holds(std::uint32_t block, std::uint32_t page) {
    CAPTURE(block, page);
    Tag tag(2);
    const NandCommand& command = read_back(block, page, tag);
    CHECK(command.raw_bit_errors == 0);
    CHECK_FALSE(command.erased_page);
    CHECK(tag == Tag{page, block});
    CHECK(data[100] == static_cast<std::byte>(page + 1));
  }
  void is_erased(std::uint32_t block, std::uint32_t page) {
    CAPTURE(block, page);
    Tag tag(2);
    const NandCommand& command = read_back(block, page, tag);
    CHECK(command.erased_page);
    CHECK(command.raw_bit_errors == 0);
    CHECK(tag == Tag{no_tag, no_tag});
    CHECK(data[100] == std::byte{0xff});
  }
  void is_torn(std::uint32_t block, std::uint32_t page) {
    CAPTURE(block, page);
    CHECK(torn(block, page));
    CHECK(tag_of(block, page) == Tag{no_tag, no_tag});
  }

  FakeCells cells;
  std::array<std::byte, 512> data{};
};

TEST_CASE("power cut: complete wordlines stay, pages in the latches are lost") {
  Powered h(GENERATE(false, true));
  h.fill(1, 5);
  h.fill(2, 6);
  h.fill(3, 1);
  h.fill(4, 9);
  h.die.power_cut(second);
  CHECK(h.die.idle());
  for (const std::uint32_t page : {0u, 1u, 2u}) h.holds(1, page);
  for (const std::uint32_t page : {3u, 4u, 5u}) h.is_erased(1, page);
  for (const std::uint32_t page : {0u, 5u}) h.holds(2, page);
  for (const std::uint32_t page : {0u, 1u}) h.is_erased(3, page);
  for (const std::uint32_t page : {0u, 8u}) h.holds(4, page);
  // A wordline that was erased by the power loss must be programmed again from its first page on.
  h.refuses(h.make(program, 0, 1, 5), 200 * second, "page 3 is next");
  h.complete(h.make(program, 0, 1, 3), 200 * second);
  h.complete(h.make(program, 0, 3, 0), 201 * second);
}

TEST_CASE("power cut: the cells forget latched pages") {
  Powered h(true);
  h.fill(1, 5);
  h.fill(2, 3);
  h.die.power_cut(second);
  REQUIRE(h.cells.lost.size() == 1);
  CHECK(h.cells.lost[0].block == BlockInDie(1));
  CHECK(h.cells.lost[0].wordline == 1);
}

TEST_CASE("power cut: a running program destroys the wordline whose cells it programs") {
  Powered h(GENERATE(false, true));
  h.fill(1, 5);
  h.issue(h.make(program, 0, 1, 5), second);
  SECTION("running") {}
  SECTION("suspended") { h.issue(h.make(suspend), second + us); }
  SECTION("suspended, with a read running") {
    h.issue(h.make(suspend), second + us);
    h.issue(h.make(read, 0, 2, 0), 2 * second);
  }
  SECTION("resumed") {
    h.issue(h.make(suspend), second + us);
    h.issue(h.make(resume), 2 * second);
  }
  h.die.power_cut(3 * second);
  for (const std::uint32_t page : {0u, 1u, 2u}) h.holds(1, page);
  for (const std::uint32_t page : {3u, 4u, 5u}) h.is_torn(1, page);
  h.is_erased(1, 6);
  h.complete(h.make(program, 0, 1, 6), 200 * second);
  h.complete(h.make(erase, 0, 1), 201 * second);
  CHECK_FALSE(h.torn(1, 3, 202 * second));
}

TEST_CASE("power cut: a running program into the latches leaves an erased wordline") {
  Powered h(GENERATE(false, true));
  h.fill(1, 4);
  h.issue(h.make(program, 0, 1, 4), second);
  h.die.power_cut(second + us);
  h.holds(1, 2);
  for (const std::uint32_t page : {3u, 4u}) h.is_erased(1, page);
}

TEST_CASE("power cut: a finished program counts even if its status was not fetched") {
  Powered h(GENERATE(false, true));
  h.fill(1, 2);
  h.data.fill(std::byte{3});
  Tag tag{2, 1};
  NandCommand& last = h.make(program, 0, 1, 2);
  last.data = h.data.data();
  last.tag = tag;
  h.die.finish(h.issue(last, second));
  h.die.power_cut(2 * second);
  CHECK(h.die.response() == nullptr);
  for (const std::uint32_t page : {0u, 1u, 2u}) h.holds(1, page);
}

TEST_CASE("power cut: all planes of a program are affected, queued ones are not") {
  Powered h(GENERATE(false, true));
  h.program_pages(0, 1, 2);
  h.program_pages(1, 1, 3);
  SECTION("running") {
    h.issue(h.make_queued(program, 0, 1, 2), second);
    h.issue(h.make(program, 1, 1, 3), second);
    h.die.power_cut(second + us);
    h.is_torn(1, 0);
    h.is_torn(1, 2);
  }
  SECTION("queued") {
    h.issue(h.make_queued(program, 0, 1, 2), second);
    h.die.power_cut(second + us);
    h.is_erased(1, 0);
  }
  CHECK(h.ready_at(0));
  h.complete(h.make(program, 1, 1, 3), 200 * second);
}

TEST_CASE("power cut: a running erase leaves a block that must be erased again") {
  Powered h(GENERATE(false, true));
  h.fill(1, 9);
  h.issue(h.make(erase, 0, 1), second);
  if (GENERATE(false, true)) h.issue(h.make(suspend), second + us);
  h.die.power_cut(2 * second);
  for (const std::uint32_t page : {0u, 8u}) h.is_torn(1, page);
  h.refuses(h.make(program, 0, 1, 0), 200 * second, "failed or was interrupted");
  h.complete(h.make(erase, 0, 1), 200 * second);
  CHECK_FALSE(h.torn(1, 0, 201 * second));
  h.complete(h.make(program, 0, 1, 0), 202 * second);
}

TEST_CASE("power cut: a running voltage adjustment destroys its wordline") {
  Powered h(GENERATE(false, true));
  h.fill(1, 9);
  NandCommand& adjust = h.make(adjust_voltage, 0, 1, 3);
  adjust.valid_pages = 0b110;
  h.issue(adjust, second);
  h.die.power_cut(second + us);
  h.holds(1, 2);
  for (const std::uint32_t page : {3u, 4u, 5u}) h.is_torn(1, page);
  h.holds(1, 6);
}

TEST_CASE("power cut: in SLC mode each page is durable by itself") {
  Powered h(GENERATE(false, true));
  h.program_pages(0, 1, 1, ProgramMode::slc);
  NandCommand& second_page = h.make(program, 0, 1, 1);
  second_page.mode = ProgramMode::slc;
  h.issue(second_page, second);
  h.die.power_cut(second + us);
  CHECK_FALSE(h.torn(1, 0));
  CHECK(h.torn(1, 1));
}

TEST_CASE("power cut: registers and features return to their power-on state") {
  Powered h(false);
  h.fill(1, 3);
  h.issue(h.make_set_feature(0xc0, {51, 51, 51, 0}), 0);
  h.complete(h.make(copyback_read, 0, 1, 0), second);
  h.die.power_cut(2 * second);
  h.refuses(h.make(copyback_program, 0, 2, 0), 0, "holds no page");
  CHECK(h.issue(h.make(read, 0, 1, 0), 0) == 60 * us);
}

TEST_CASE("power cut: a page in the cache register has not reached its wordline") {
  Powered h(GENERATE(false, true));
  h.fill(1, 4);
  NandCommand& under_way = h.make(program, 0, 1, 4);
  under_way.cache = true;
  h.issue(under_way, second);
  h.issue(h.make(program, 0, 1, 5), second + 10 * us);
  h.die.power_cut(second + 100 * us);
  CHECK(h.die.programmed_pages(BlockInDie(1)) == 3);
  h.holds(1, 2);
  for (const std::uint32_t page : {3u, 4u, 5u}) h.is_erased(1, page);
  h.complete(h.make(program, 0, 1, 3), 2 * second);
}

TEST_CASE("power cut: a running read never responds") {
  Powered h(GENERATE(false, true));
  h.fill(1, 3);
  const Tick end = h.issue(h.make(read, 0, 1, 0), second);
  h.issue(h.make_cache_read(1, 1), second);
  h.die.power_cut(second + us);
  CHECK(h.die.response() == nullptr);
  CHECK(h.die.take_aborted() == nullptr);
  CHECK_THROWS_AS(h.die.finish(end), ProtocolError);
  h.holds(1, 0);
}

TEST_CASE("a reset during a program tears the wordline whose cells it programs") {
  Powered h(GENERATE(false, true));
  h.fill(1, 5);
  h.issue(h.make(program, 0, 1, 5), second);
  h.issue(h.make(reset), second + us);
  while (h.die.take_aborted() != nullptr) {
  }
  h.holds(1, 2);
  for (const std::uint32_t page : {3u, 4u, 5u}) h.is_torn(1, page);
}

TEST_CASE("a reset that drops the wordline's last page from the cache register tears it, too") {
  Powered h(GENERATE(false, true));
  h.fill(1, 4);
  NandCommand& under_way = h.make(program, 0, 1, 4);
  under_way.cache = true;
  h.issue(under_way, second);
  h.issue(h.make(program, 0, 1, 5), second + 10 * us);
  h.issue(h.make(reset), second + 100 * us);
  while (h.die.take_aborted() != nullptr) {
  }
  h.holds(1, 2);
  for (const std::uint32_t page : {3u, 4u, 5u}) h.is_torn(1, page);
}

}  // namespace
}  // namespace nandscape::nand
