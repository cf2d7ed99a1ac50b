// SPDX-License-Identifier: Apache-2.0
// Tests blocks in SLC mode, and programs with a custom ISPP step.
#include "unit/nand/die_harness.h"

namespace nandscape::nand {
namespace {

using enum NandOperation;
constexpr Tick us = microsecond;

NandCommand& make_slc(DieHarness& h, std::uint32_t block, std::uint32_t page, NandOperation operation = program) {
  NandCommand& command = h.make(operation, 0, block, page);
  command.mode = ProgramMode::slc;
  return command;
}

TEST_CASE("a block in SLC mode programs and reads fast") {
  DieHarness h;
  NandCommand& first = make_slc(h, 1, 0);
  CHECK(h.issue(first, 0) == 190 * us);
  h.finishes_at(190 * us);
  h.release(first, 190 * us);
  h.complete(make_slc(h, 1, 1), second);
  // An SLC read needs one sense. This lasts half of 60 us, because a read of the lowest page type has two senses.
  NandCommand& r = h.make(read, 0, 1, 1);
  CHECK(h.issue(r, 2 * second) == 2 * second + 30 * us);
  h.finishes_at(2 * second + 30 * us);
  h.release(r, 2 * second + 30 * us);
  CHECK(h.die.counters().senses == 1);
  // Other blocks are unaffected.
  h.complete(h.make(program, 0, 2, 0), 3 * second);
  CHECK(h.issue(h.make(read, 0, 2, 1), 4 * second) == 4 * second + 90 * us);
}

TEST_CASE("a block in SLC mode has one page per wordline") {
  DieHarness h;
  h.refuses(make_slc(h, 1, 3), 0, "in SLC mode a block has 3 pages");
  h.program_pages(0, 1, 3, ProgramMode::slc);
  h.refuses(make_slc(h, 1, 3), second, "in SLC mode a block has 3 pages");
  h.refuses(h.make(read, 0, 1, 3), second, "the block is in SLC mode and has only 3 pages");
  h.refuses(make_slc(h, 1, 2), second, "programmed already");
}

TEST_CASE("a block stays in its mode until it is erased") {
  DieHarness h;
  h.program_pages(0, 1, 1, ProgramMode::slc);
  h.program_pages(0, 2, 1);
  h.refuses(h.make(program, 0, 1, 1), second, "its block is in SLC mode until it is erased");
  h.refuses(make_slc(h, 2, 1), second, "has been programmed in native mode");
  h.complete(h.make(erase, 0, 1), second);
  h.complete(h.make(erase, 0, 2), 2 * second);
  h.complete(h.make(program, 0, 1, 0), 3 * second);
  h.complete(make_slc(h, 2, 0), 4 * second);
  CHECK(h.issue(h.make(read, 0, 1, 1), 5 * second) == 5 * second + 90 * us);
}

TEST_CASE("planes in different modes take the longer time") {
  DieHarness h;
  NandCommand& fast = make_slc(h, 1, 0);
  fast.more_planes = true;
  h.issue(fast, 0);
  CHECK(h.issue(h.make(program, 1, 1, 0), 0) == 700 * us);
}

TEST_CASE("cells are notified of SLC mode") {
  FakeCells cells;
  DieHarness h(&cells);
  h.program_pages(0, 1, 2, ProgramMode::slc);
  CHECK(cells.programs[1].coding == &h.timing.codings.slc());
  CHECK(cells.programs[1].page_type == 0);
  CHECK(cells.programs[1].where.wordline == 1);
  h.complete(h.make(read, 0, 1, 1), second);
  CHECK(cells.senses.back().coding == &h.timing.codings.slc());
  CHECK(cells.senses.back().where.wordline == 1);
}

TEST_CASE("a custom ISPP step changes a program's time") {
  FakeCells cells;
  DieHarness h(&cells);
  NandCommand& fine = h.make(program, 0, 1, 0);
  fine.program_step_mv = 160;
  CHECK(h.issue(fine, 0) == 875 * us);  // 700 x 200 / 160
  h.finishes_at(875 * us);
  h.release(fine, 875 * us);
  CHECK(cells.programs.back().step_mv == 160);
  NandCommand& coarse = make_slc(h, 2, 0);
  coarse.program_step_mv = 400;
  CHECK(h.issue(coarse, second) == second + 95 * us);
}

TEST_CASE("ideal cells are programmed faster with a larger ISPP step") {
  NandParameters parameters = die_parameters();
  parameters.cells.placement.step_mv = 200;
  DieHarness h(nullptr, parameters);
  NandCommand& coarse = h.make(program, 0, 1, 0);
  coarse.program_step_mv = 400;
  CHECK(h.issue(coarse, 0) == 350 * us);  // 700 x 200 / 400
  h.finishes_at(350 * us);
  h.release(coarse, 350 * us);
  NandCommand& fine = h.make(program, 0, 1, 1);
  fine.program_step_mv = 160;
  CHECK(h.issue(fine, second) == second + 875 * us);
}

}  // namespace
}  // namespace nandscape::nand
