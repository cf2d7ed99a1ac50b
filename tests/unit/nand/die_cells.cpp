// SPDX-License-Identifier: Apache-2.0
// Tests how a die calls its cell model, and how it uses the results.
#include <array>

#include "unit/nand/die_harness.h"

namespace nandscape::nand {
namespace {

using enum NandOperation;
constexpr Tick us = microsecond;

TEST_CASE("cells are notified of programs and erases when they end") {
  FakeCells cells;
  DieHarness h(&cells);
  h.program_pages(1, 2, 4);
  REQUIRE(cells.programs.size() == 4);
  CHECK(cells.times[0] == 700 * us);
  const ProgramOrder& order = cells.programs[3];
  CHECK(order.where.block == BlockInDie(6 + 2));  // blocks are numbered over both planes
  CHECK(order.where.wordline == 1);
  CHECK(order.page_type == 0);
  CHECK(order.coding == &h.timing.codings.native());
  CHECK(order.step_mv == 0);
  h.complete(h.make(erase, 1, 2), second);
  CHECK(cells.erases == std::vector<BlockInDie>{BlockInDie(8)});
  CHECK(cells.times.back() == second + 3000 * us);
}

TEST_CASE("reads return the errors of their bytes") {
  FakeCells cells;
  DieHarness h(&cells);
  h.die.precondition(PlaneInDie(0), BlockInPlane(1), 9);
  NandCommand& part = h.make(read, 0, 1, 5);
  part.first_byte = 128;
  part.bytes = 256;
  h.complete(part, 0);
  CHECK(part.raw_bit_errors == 30);
  CHECK(part.worst_codeword_errors == 9);
  const SenseOrder& order = cells.senses.back();
  CHECK(order.where.block == BlockInDie(1));
  CHECK(order.where.wordline == 1);
  CHECK(order.page_type == 2);
  CHECK(order.first_byte == 128);
  CHECK(order.bytes == 256);
  CHECK(cells.times.back() == 70 * us);
  // Cache reads must call the cell model in the same way.
  NandCommand& first = h.make(read, 0, 1, 0);
  NandCommand& cached = h.make_cache_read(1, 8);
  Tick end = h.issue(first, second);
  h.issue(cached, second);
  h.finishes_at(end);
  end = h.release(first, end);
  h.finishes_at(end);
  CHECK(cached.raw_bit_errors == 30);
  CHECK(cells.senses.back().where.wordline == 2);
}

TEST_CASE("pages without programmed cells have no errors") {
  FakeCells cells;
  DieHarness h(&cells);
  NandCommand& r = h.make(read, 0, 1, 1);
  r.raw_bit_errors = 5;  // from an earlier read
  SECTION("an erased page") {}
  SECTION("a page of an incomplete wordline") { h.program_pages(0, 1, 2); }
  SECTION("a page of a wordline whose last page is suspended") {
    h.program_pages(0, 1, 2);
    h.issue(h.make(program, 0, 1, 2), second);
    h.issue(h.make(suspend), second + us);
  }
  h.complete(r, 2 * second);
  CHECK(r.raw_bit_errors == 0);
  CHECK(cells.senses.empty());
}

TEST_CASE("a page that fails to be programmed is used up and holds no data") {
  FakeCells cells;
  DieHarness h(&cells);
  std::array<std::byte, 512> data{};
  NandCommand& victim = h.make(program, 0, 1, 0);
  victim.data = data.data();
  cells.succeed = false;
  h.complete(victim, 0);
  CHECK(victim.status == NandStatus::fail);
  CHECK(h.store.pages() == 0);
  CHECK(h.die.counters().failures == 1);
  h.refuses(h.make(program, 0, 1, 0), second, "programmed already");
  cells.succeed = true;
  NandCommand& next = h.make(program, 0, 1, 1);
  h.complete(next, second);
  CHECK(next.status == NandStatus::pass);
}

TEST_CASE("a block that fails to be erased accepts no programs") {
  FakeCells cells;
  DieHarness h(&cells);
  h.program_pages(0, 1, 3);
  cells.succeed = false;
  NandCommand& victim = h.make(erase, 0, 1);
  h.complete(victim, second);
  CHECK(victim.status == NandStatus::fail);
  h.refuses(h.make(program, 0, 1, 0), 2 * second, "failed or was interrupted");
}

TEST_CASE("factory bad blocks fail, and carry their mark") {
  FakeCells cells;
  cells.bad_blocks = {BlockInDie(2)};
  DieHarness h(&cells);
  NandCommand& marked = h.make(read, 0, 2, 0);
  h.complete(marked, 0);
  CHECK(marked.bad_block_mark);
  CHECK(marked.raw_bit_errors == 0);
  NandCommand& good = h.make(read, 1, 2, 0);
  h.complete(good, second);
  CHECK_FALSE(good.bad_block_mark);
  NandCommand& programmed = h.make(program, 0, 2, 0);
  h.complete(programmed, 2 * second);
  CHECK(programmed.status == NandStatus::fail);
  NandCommand& erased = h.make(erase, 0, 2);
  h.complete(erased, 3 * second);
  CHECK(erased.status == NandStatus::fail);
  CHECK(cells.programs.empty());
  CHECK(cells.erases.empty());
}

TEST_CASE("data must be within a page") {
  DieHarness h;
  NandCommand& command = h.make(read);
  command.first_byte = 500;
  command.bytes = 13;
  h.refuses(command, 0, "its data extend past the end of the page");
  command.bytes = 12;
  h.complete(command, 0);
}

}  // namespace
}  // namespace nandscape::nand
