// SPDX-License-Identifier: Apache-2.0
// Tests voltage adjustment of wordlines with invalid pages.
#include "unit/nand/die_harness.h"

namespace nandscape::nand {
namespace {

using enum NandOperation;
constexpr Tick us = microsecond;

// A die in which block 1 of plane 0 has been programmed, so that its wordlines can be adjusted.
struct Adjusting : DieHarness {
  explicit Adjusting(CellArray* cells = nullptr, const NandParameters& p = parameters()) : DieHarness(cells, p) {
    die.precondition(PlaneInDie(0), BlockInPlane(1), 9);
  }
  static NandParameters parameters() {
    NandParameters p = die_parameters();
    p.coding = "tlc_124";
    p.timing.read = ReadTime::senses;
    p.timing.t_pre_us = 24;
    p.timing.t_eval_us = 5;
    p.timing.t_disch_us = 10;
    return p;
  }
  NandCommand& make_adjust(std::uint32_t page, std::uint8_t valid_pages) {
    NandCommand& command = make(adjust_voltage, 0, 1, page);
    command.valid_pages = valid_pages;
    return command;
  }
  // Reads the page and returns how long the array is busy with it.
  Tick read_time(std::uint32_t page, Tick now) {
    NandCommand& command = make(read, 0, 1, page);
    const Tick end = issue(command, now);
    die.finish(end);
    release(command, end);
    return end - now;
  }

  void is_torn(std::uint32_t page, Tick now) {
    CAPTURE(page);
    CHECK(torn(1, page, now));
  }
};

TEST_CASE("a wordline without its LSB page reads with fewer senses") {
  Adjusting h;
  NandCommand& adjust = h.make_adjust(4, 0b110);
  CHECK(h.issue(adjust, 0) == 400 * us);
  h.finishes_at(400 * us);
  h.release(adjust, 400 * us);
  CHECK(adjust.status == NandStatus::pass);
  // As in the paper, one page now needs 1 sense instead of 2, and the other 2 senses instead of 4.
  CHECK(h.read_time(4, second) == 39 * us);
  CHECK(h.read_time(5, 2 * second) == 2 * 39 * us);
  CHECK(h.die.counters().senses == 3);
  h.is_torn(3, 3 * second);
  // Other wordlines are unchanged.
  CHECK(h.read_time(0, 4 * second) == 39 * us);
  CHECK(h.read_time(2, 5 * second) == 4 * 39 * us);
}

TEST_CASE("a wordline can be adjusted again when more pages become invalid") {
  FakeCells cells;
  Adjusting h(&cells);
  h.complete(h.make_adjust(3, 0b110), 0);
  h.refuses(h.make_adjust(3, 0b101), second, "must name some, but not all");
  h.refuses(h.make_adjust(3, 0b110), second, "must name some, but not all");
  h.complete(h.make_adjust(5, 0b100), second);
  CHECK(h.read_time(5, 2 * second) == 39 * us);
  h.is_torn(4, 3 * second);

  const CellCodings& codings = h.timing.codings;
  REQUIRE(cells.adjustments.size() == 2);
  CHECK(cells.adjustments[0].where.block == BlockInDie(1));
  CHECK(cells.adjustments[0].where.wordline == 1);
  CHECK(cells.adjustments[0].from == &codings.native());
  CHECK(cells.adjustments[0].merged == codings.merging(0b110).coding);
  CHECK(cells.adjustments[1].from == &codings.merging(0b110).coding);
  CHECK(cells.adjustments[1].merged == codings.merging(0b100).coding);
  CHECK(cells.senses.back().coding == &codings.merging(0b100).coding);
  CHECK(cells.senses.back().page_type == 0);
}

TEST_CASE("an erase restores adjusted wordlines") {
  Adjusting h;
  h.complete(h.make_adjust(3, 0b100), 0);
  h.complete(h.make(erase, 0, 1), second);
  h.program_pages(0, 1, 6);
  CHECK(h.read_time(3, 2 * second) == 39 * us);
  CHECK(h.read_time(5, 3 * second) == 4 * 39 * us);
}

TEST_CASE("invalid adjustments are refused") {
  Adjusting h;
  for (const std::uint8_t mask : {0b000, 0b111, 0b1000}) h.refuses(h.make_adjust(0, mask), 0, "must name some");
  NandCommand& elsewhere = h.make(adjust_voltage, 0, 2, 0);
  elsewhere.valid_pages = 0b100;
  h.program_pages(0, 2, 2);
  h.refuses(elsewhere, second, "not all programmed");
  NandCommand& slc = h.make(adjust_voltage, 0, 3, 0);
  slc.valid_pages = 0b100;
  h.program_pages(0, 3, 3, ProgramMode::slc);
  h.refuses(slc, second, "SLC mode");
}

TEST_CASE("an adjustment takes the time of a program by default") {
  NandParameters p = Adjusting::parameters();
  p.timing.t_adjust_us = 0;
  Adjusting h(nullptr, p);
  CHECK(h.issue(h.make_adjust(0, 0b100), 0) == 700 * us);
}

TEST_CASE("an adjustment can be suspended, but its wordline cannot be read meanwhile") {
  Adjusting h;
  NandCommand& adjust = h.make_adjust(4, 0b110);
  h.issue(adjust, 0);
  h.issue(h.make(suspend), 100 * us);
  h.refuses(h.make(read, 0, 1, 5), second, "a suspended operation");
  CHECK(h.read_time(6, second) == 39 * us);
  const Tick end = h.issue(h.make(resume), 2 * second);
  CHECK(end == 2 * second + 25 * us + 300 * us);
  h.finishes_at(end);
}

// Uses the read times of the paper, Table II.
TEST_CASE("with read times per page type, a merged page takes the time of a page with as many senses") {
  NandParameters p = Adjusting::parameters();
  p.timing.read = ReadTime::per_page_type;
  p.timing.t_read_us = {50, 100, 150};
  Adjusting h(nullptr, p);
  h.complete(h.make_adjust(0, 0b110), 0);
  CHECK(h.read_time(1, second) == 50 * us);
  CHECK(h.read_time(2, 2 * second) == 100 * us);
  h.complete(h.make_adjust(3, 0b100), 3 * second);
  CHECK(h.read_time(5, 4 * second) == 50 * us);
  CHECK(h.read_time(8, 5 * second) == 150 * us);
  // A soft read with three sensing levels needs three times as many senses.
  NandCommand& soft = h.make(read, 0, 1, 2);
  soft.sensing_levels = 3;
  CHECK(h.issue(soft, 6 * second) == 6 * second + 300 * us);
  h.die.finish(6 * second + 300 * us);
  h.release(soft, 6 * second + 300 * us);
  // A sense with the shortened phases lasts 15 us instead of 39 us.
  h.issue(h.make_set_feature(feature::sense_timing, {255, 0, 0, 0}), 7 * second);
  CHECK(h.read_time(2, 8 * second) == 38'461'538);
}

TEST_CASE("read times for a number of senses that no native page has are interpolated") {
  NandParameters p = die_parameters();
  const auto timing_of = [&](const std::string& coding, std::vector<double> t_read_us) {
    p.coding = coding;
    p.timing.t_read_us = std::move(t_read_us);
    return NandTiming(p);
  };
  // Two page types have two senses. If a page is of one of these types, the time of its own type must be used.
  const NandTiming tlc = timing_of("tlc_232", {60, 90, 70});
  CHECK(tlc.read_us(0, 2) == 60);
  CHECK(tlc.read_us(1, 2) == 60);
  CHECK(tlc.read_us(2, 2) == 70);
  CHECK(tlc.read_us(1, 1) == 30);
  CHECK(tlc.read_us(2, 1) == 35);
  const NandTiming qlc = timing_of("qlc_1248", {40, 60, 90, 130});
  CHECK(qlc.read_us(2, 1) == 40);
  CHECK(qlc.read_us(3, 2) == 60);
  CHECK(qlc.read_us(3, 3) == 75);
  CHECK(qlc.read_us(3, 6) == 110);
  // If all senses have the same duration, the read time must be proportional to the number of senses.
  p.timing.read = ReadTime::senses;
  p.timing.t_pre_us = 24;
  p.timing.t_eval_us = 5;
  p.timing.t_disch_us = 10;
  const NandTiming even = timing_of("qlc_4434", {});
  for (std::uint32_t n = 1; n < 16; ++n) CHECK(even.read_us(3, n) == Approx(39.0 * n));
}

TEST_CASE("a failed adjustment reports failure") {
  FakeCells cells;
  Adjusting h(&cells);
  cells.succeed = false;
  NandCommand& adjust = h.make_adjust(0, 0b110);
  h.complete(adjust, 0);
  CHECK(adjust.status == NandStatus::fail);
  CHECK(h.die.counters().failures == 1);
  for (const std::uint32_t page : {0u, 1u, 2u}) h.is_torn(page, second + page * second);
}

}  // namespace
}  // namespace nandscape::nand
