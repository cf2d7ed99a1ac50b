// SPDX-License-Identifier: Apache-2.0
#include "nand/nand_array.h"

#include "core/error.h"
#include "unit/nand/array_harness.h"

namespace nandscape::nand {
namespace {

using enum NandOperation;

TEST_CASE("a page counts as programmed from the start of its program") {
  ArrayHarness h;
  h.array.begin_program(h.command(program, 1, 2, 0));
  CHECK(h.array.blocks().next_page(BlockInDie(6 + 2)) == 1);
  CHECK(h.array.counters().page_programs == 0);
  h.finished(h.command(program, 1, 2, 0));
  CHECK(h.array.counters().page_programs == 1);
}

TEST_CASE("pages of suspended programs are not in the cells yet") {
  FakeCells cells;
  ArrayHarness h(&cells);
  h.program_pages(0, 1, 2);
  NandCommand last = h.command(program, 0, 1, 2);
  h.array.begin_program(last);
  NandCommand* const suspended[] = {&last};
  // The program of the wordline is suspended, so its first page is still in the latches and has no errors.
  CHECK(h.finished(h.command(read, 0, 1, 0), suspended).raw_bit_errors == 0);
  CHECK(cells.senses.empty());
  h.finished(last);
  CHECK(h.finished(h.command(read, 0, 1, 0)).raw_bit_errors == 30);
  CHECK(cells.senses.size() == 1);
}

TEST_CASE("state of a wordline after a reset or a power loss interrupts its program") {
  ArrayHarness h;
  h.program_pages(0, 1, 2);
  const NandCommand last = h.command(program, 0, 1, 2);
  h.array.begin_program(last);
  const NandCommand first = h.command(program, 0, 2, 0);
  h.array.begin_program(first);
  SECTION("a reset: the wordline being programmed is torn, and pages in latches stay") {
    h.array.interrupt(last);
    h.array.interrupt(first);
    CHECK(h.array.blocks().next_page(BlockInDie(2)) == 1);
  }
  SECTION("a power loss: latches are lost as well") {
    h.array.interrupt(last);
    h.array.interrupt(first);
    h.array.lose_latches();
    CHECK(h.array.blocks().next_page(BlockInDie(2)) == 0);
  }
  CHECK(h.array.blocks().next_page(BlockInDie(1)) == 3);
  for (std::uint32_t page = 0; page < 3; ++page) CHECK(h.torn(0, 1, page));
  CHECK_FALSE(h.torn(0, 2, 0));
}

TEST_CASE("an adjustment that does not complete tears its wordline") {
  ArrayHarness h;
  h.program_pages(0, 1, 9);
  const NandCommand adjustment = h.command(adjust_voltage, 0, 1, 4);
  SECTION("reset") { h.array.interrupt(adjustment); }
  SECTION("power") {
    h.array.interrupt(adjustment);
    h.array.lose_latches();
  }
  CHECK_FALSE(h.array.blocks().adjusted(BlockInDie(1), 1).has_value());
  CHECK_FALSE(h.torn(0, 1, 2));
  CHECK(h.torn(0, 1, 3));
  CHECK(h.torn(0, 1, 5));
  CHECK_FALSE(h.torn(0, 1, 6));
}

TEST_CASE("an erase that does not complete leaves neither data nor an erased block") {
  ArrayHarness h;
  h.program_pages(0, 1, 3);
  SECTION("reset") { h.array.interrupt(h.command(erase, 0, 1)); }
  SECTION("power") {
    h.array.interrupt(h.command(erase, 0, 1));
    h.array.lose_latches();
  }
  SECTION("failure") {
    h.array.faults().fail_next(erase, 1);
    CHECK(h.finished(h.command(erase, 0, 1)).status == NandStatus::fail);
    CHECK(h.array.counters().failures == 1);
  }
  CHECK(h.array.blocks().spoiled(BlockInDie(1)));
  CHECK(h.torn(0, 1, 0));
  CHECK(h.finished(h.command(erase, 0, 1)).status == NandStatus::pass);
  CHECK_FALSE(h.array.blocks().spoiled(BlockInDie(1)));
}

TEST_CASE("a torn page stays torn when moved") {
  ArrayHarness h;
  h.program_pages(0, 1, 2);
  h.array.begin_program(h.command(program, 0, 1, 2));
  h.array.interrupt(h.command(program, 0, 1, 2));
  h.finished(h.command(copyback_read, 0, 1, 0));
  CHECK(h.array.registers().page(PlaneInDie(0)).torn);
  const NandCommand moved = h.command(copyback_program, 0, 3, 0);
  h.array.begin_program(moved);
  CHECK(h.finished(moved).status == NandStatus::pass);
  CHECK(h.torn(0, 3, 0));
}

TEST_CASE("threshold voltages are returned for a wordline as it is sensed") {
  FakeCells cells;
  cells.voltages = {-1000, 2500};
  ArrayHarness h(&cells);
  h.program_pages(1, 2, 5);
  CHECK(h.array.programmed_wordlines(BlockInDie(6 + 2)) == 1);
  CHECK(h.array.threshold_voltages({BlockInDie(6 + 2), 0}, 0) == cells.voltages);
  REQUIRE(cells.looks.size() == 1);
  CHECK(cells.looks[0].where.block == BlockInDie(6 + 2));
  CHECK(cells.looks[0].coding == &h.timing.codings.native());
  CHECK(cells.looks[0].programmed_wordlines == 1);
  CHECK(cells.senses.empty());
  CHECK(h.array.counters().page_reads == 0);
}

TEST_CASE("cells without individual voltages refuse the request, and torn wordlines have none") {
  FakeCells cells;
  ArrayHarness h(&cells);
  h.program_pages(0, 1, 3);
  CHECK_THROWS_AS(h.array.threshold_voltages({BlockInDie(1), 0}, 0), RequestError);
  ArrayHarness ideal;
  ideal.program_pages(0, 1, 3);
  CHECK_THROWS_AS(ideal.array.threshold_voltages({BlockInDie(1), 0}, 0), RequestError);
  h.array.faults().kill();
  CHECK(h.array.threshold_voltages({BlockInDie(1), 0}, 0).empty());
}

TEST_CASE("array times depend on the page type, the mode and the ISPP step") {
  FakeCells cells;
  ArrayHarness h(&cells);
  CHECK(h.array.read_time(h.command(read, 0, 1, 0)) == 60 * microsecond);
  CHECK(h.array.read_time(h.command(read, 0, 1, 4)) == 90 * microsecond);
  NandCommand soft = h.command(read, 0, 1, 1);
  soft.sensing_levels = 3;
  CHECK(h.array.read_time(soft) == 3 * 90 * microsecond);
  NandCommand c = h.command(program, 0, 1, 0);
  CHECK(h.array.program_time(c) == 700 * microsecond);
  c.program_step_mv = 400;  // twice the default step, so half as many pulses
  CHECK(h.array.program_time(c) == 350 * microsecond);
  c.program_step_mv = 0;
  c.mode = ProgramMode::slc;
  CHECK(h.array.program_time(c) == 190 * microsecond);
  h.array.begin_program(c);
  // An SLC read needs one sense, which lasts half as long as the two senses of a lower page.
  CHECK(h.array.read_time(h.command(read, 0, 1, 1)) == 30 * microsecond);
}

}  // namespace
}  // namespace nandscape::nand
