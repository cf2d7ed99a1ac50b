// SPDX-License-Identifier: Apache-2.0
// Tests a die that programs its cells in two passes: the order of the passes, their times, and what can be read.
#include "unit/nand/die_harness.h"

namespace nandscape::nand {
namespace {

using enum NandOperation;
using Tag = DieHarness::Tag;
constexpr Tick us = microsecond;

NandParameters two_pass_parameters() {
  NandParameters p = die_parameters();
  p.timing.program_unit = ProgramUnit::wordline;
  p.timing.program_passes = 2;
  p.timing.t_load_us = 4;
  p.timing.t_prog_first_us = 500;
  p.timing.t_prog_us = 1200;
  return p;
}

// A block has three wordlines of three pages.
struct TwoPassDie : DieHarness {
  explicit TwoPassDie(CellArray* cell_array = nullptr) : DieHarness(cell_array, two_pass_parameters()) {}

  NandCommand& make_pass(ProgramPass pass, std::uint32_t page, std::uint32_t block = 0) {
    NandCommand& command = make(program, 0, block, page);
    command.pass = pass;
    auto& bytes = data.emplace_back(512, static_cast<std::byte>(page + 1));
    command.data = bytes.data();
    command.tag = tag_buffers.emplace_back(Tag{page, block});
    return command;
  }
  // Makes a pass of a wordline, and returns its array time.
  Tick pass(ProgramPass pass, std::uint32_t wordline, std::uint32_t block = 0) {
    Tick time = 0;
    for (std::uint32_t page = 3 * wordline; page < 3 * wordline + 3; ++page) {
      NandCommand& command = make_pass(pass, page, block);
      const Tick end = issue(command, 0);
      time += end;
      die.finish(end);
      release(command, end);
    }
    return time;
  }
  Tick first(std::uint32_t wordline) { return pass(ProgramPass::first, wordline); }
  Tick second(std::uint32_t wordline) { return pass(ProgramPass::again, wordline); }
  void refuses_again(std::uint32_t page, const std::string& reason) {
    refuses(make_pass(ProgramPass::again, page), 0, reason);
  }
  bool wordline_torn(std::uint32_t wordline) {
    return torn(0, 3 * wordline) && torn(0, 3 * wordline + 1) && torn(0, 3 * wordline + 2);
  }
  bool holds(std::uint32_t page) {
    const NandCommand& command = read_whole(0, page);
    return command.raw_bit_errors == 0 && !command.erased_page && tag_of(0, page) == Tag{page, 0};
  }

  std::deque<std::vector<std::byte>> data;
};

TEST_CASE("a wordline is programmed in two passes, each with its own time, and is readable after the second") {
  TwoPassDie h;
  CHECK(h.first(0) == (500 + 2 * 4) * us);
  CHECK(h.wordline_torn(0));
  CHECK(h.first(1) == (500 + 2 * 4) * us);
  CHECK(h.wordline_torn(0));
  CHECK(h.second(0) == (1200 + 2 * 4) * us);
  for (std::uint32_t page = 0; page < 3; ++page) CHECK(h.holds(page));
  CHECK(h.wordline_torn(1));
  h.first(2);
  h.second(1);
  h.second(2);
  for (std::uint32_t page = 0; page < 9; ++page) CHECK(h.holds(page));
  CHECK(h.die.counters().page_programs == 9);
  CHECK(h.timing.mean_page_program() == (500 + 1200 + 4 * 4) * us / 3);
  CHECK(h.die.array().blocks().plain());
}

TEST_CASE("the second pass has its place between the first passes of the next two wordlines") {
  TwoPassDie h;
  h.refuses_again(0, "has not had its first pass");
  h.first(0);
  h.refuses_again(0, "page 3 is next");
  h.first(1);
  h.refuses_again(3, "page 6 is next");
  h.refuses_again(1, "the pages of a wordline are sent in order; page 0 is next");
  h.complete(h.make_pass(ProgramPass::again, 0), 0);
  h.refuses(h.make_pass(ProgramPass::first, 6), 0, "a wordline of its block is in its second pass; page 1 is next");
  h.complete(h.make_pass(ProgramPass::again, 1), 0);
  h.complete(h.make_pass(ProgramPass::again, 2), 0);
  h.refuses_again(0, "has had both passes");
  // A second pass may be left out.
  h.first(2);
  h.second(2);
  CHECK(h.wordline_torn(1));
  CHECK(h.holds(8));
}

TEST_CASE("a second pass is refused when it is too late, in SLC mode, and by a die with one pass") {
  TwoPassDie h;
  h.first(0);
  h.first(1);
  h.complete(h.make_pass(ProgramPass::first, 6), 0);
  h.refuses_again(0, "it is too late");
  NandCommand& slc = h.make_pass(ProgramPass::first, 0, 1);
  slc.mode = ProgramMode::slc;
  h.complete(slc, 0);
  CHECK(h.read_whole(1, 0).raw_bit_errors == 0);
  NandCommand& again = h.make_pass(ProgramPass::again, 0, 1);
  again.mode = ProgramMode::slc;
  h.refuses(again, 0, "in SLC mode there is one pass");
  DieHarness one_pass;
  one_pass.program_pages(0, 0, 6);
  NandCommand& page = one_pass.make(program, 0, 0, 0);
  page.pass = ProgramPass::again;
  one_pass.refuses(page, 0, "the die programs its cells in one pass");
}

TEST_CASE("a loss of power between the passes leaves the wordline torn") {
  TwoPassDie h;
  h.first(0);
  h.first(1);
  h.second(0);
  h.first(2);
  SECTION("before the second pass") {}
  SECTION("with pages of the second pass in the latches") {
    h.complete(h.make_pass(ProgramPass::again, 3), 0);
    h.complete(h.make_pass(ProgramPass::again, 4), 0);
  }
  SECTION("during the second pass") {
    h.complete(h.make_pass(ProgramPass::again, 3), 0);
    h.complete(h.make_pass(ProgramPass::again, 4), 0);
    h.issue(h.make_pass(ProgramPass::again, 5), 0);
  }
  h.die.power_cut(10 * us);
  CHECK(h.holds(2));
  CHECK(h.wordline_torn(1));
  CHECK(h.wordline_torn(2));
  CHECK(h.die.programmed_pages(BlockInDie(0)) == 9);
}

TEST_CASE("pages that were only loaded for the first pass are erased after a loss of power") {
  TwoPassDie h;
  h.first(0);
  h.complete(h.make_pass(ProgramPass::first, 3), 0);
  h.die.power_cut(10 * us);
  CHECK(h.die.programmed_pages(BlockInDie(0)) == 3);
  CHECK(h.read_whole(0, 3).erased_page);
  CHECK(h.wordline_torn(0));
  // The block can be continued. The lost wordline gets no second pass.
  h.first(1);
  h.first(2);
  h.second(1);
  CHECK(h.holds(3));
}

TEST_CASE("the cells get the data in the second pass, and a failure of either pass is reported") {
  FakeCells cells;
  cells.result = {0, 0};
  TwoPassDie h(&cells);
  h.first(0);
  h.first(1);
  CHECK(cells.programs.empty());
  h.second(0);
  CHECK(cells.programs.size() == 3);
  h.die.faults().fail_next(program, 1);
  NandCommand& failing = h.make_pass(ProgramPass::first, 6);
  h.complete(failing, 0);
  CHECK(failing.status == NandStatus::fail);
}

}  // namespace
}  // namespace nandscape::nand
