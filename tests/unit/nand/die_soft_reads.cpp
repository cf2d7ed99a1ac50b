// SPDX-License-Identifier: Apache-2.0
// Tests soft reads, which sense each read level several times: their durations, counters and results.
#include <algorithm>
#include <array>

#include "unit/nand/die_harness.h"

namespace nandscape::nand {
namespace {

using enum NandOperation;
constexpr Tick us = microsecond;

NandCommand& make_soft(DieHarness& h, std::uint8_t sensing_levels, std::uint32_t block, std::uint32_t page,
                       std::uint32_t plane = 0) {
  NandCommand& command = h.make(read, plane, block, page);
  command.sensing_levels = sensing_levels;
  return command;
}

TEST_CASE("tR of a soft read is tR of a hard read times the number of levels") {
  const ReadTime kind = GENERATE(ReadTime::per_page_type, ReadTime::senses);
  NandParameters p = die_parameters();
  p.timing.read = kind;
  p.timing.t_pre_us = 24;
  p.timing.t_eval_us = 5;
  p.timing.t_disch_us = 10;
  DieHarness h(nullptr, p);
  const std::uint32_t senses[] = {2, 3, 2};
  const Tick given[] = {60 * us, 90 * us, 70 * us};
  std::uint64_t counted = 0;
  Tick reading = 0;
  Tick now = 0;
  for (std::uint8_t levels = 1; levels <= 7; ++levels) {
    for (std::uint32_t page = 0; page < 3; ++page) {
      NandCommand& command = make_soft(h, levels, 1, page);
      now += second;
      const Tick expected = levels * (kind == ReadTime::senses ? senses[page] * 39 * us : given[page]);
      REQUIRE(h.issue(command, now) == now + expected);
      h.finishes_at(now + expected);
      h.release(command, now + expected);
      counted += levels * senses[page];
      reading += expected;
    }
  }
  CHECK(h.die.counters().senses == counted);
  CHECK(h.die.counters().page_reads == 21);
  CHECK(h.die.counters().array.reading == reading);
}

TEST_CASE("a read that continues earlier reads makes only the missing senses") {
  FakeCells cells;
  DieHarness h(&cells);
  h.program_pages(0, 1, 3);
  NandCommand& command = make_soft(h, 5, 1, 1);
  command.earlier_levels = 3;
  const Tick end = second + Tick{2} * 90 * us;
  CHECK(h.issue(command, second) == end);
  h.finishes_at(end);
  h.release(command, end);
  CHECK(cells.senses.back().sensing_levels == 5);
  CHECK(cells.senses.back().earlier_levels == 3);
  CHECK(h.die.counters().senses == 2 * 3);
}

TEST_CASE("shortened senses shorten soft reads in proportion") {
  NandParameters p = die_parameters();
  p.timing.read = ReadTime::senses;
  p.timing.t_pre_us = 24;
  p.timing.t_eval_us = 5;
  p.timing.t_disch_us = 10;
  DieHarness h(nullptr, p);
  h.issue(h.make_set_feature(feature::sense_timing, {0, 0, 255, 0}), 0);  // 29 us remain
  CHECK(h.issue(make_soft(h, 5, 1, 1), second) == second + 5 * 3 * 29 * us);
}

TEST_CASE("planes read together take the time of the one with the most levels") {
  DieHarness h;
  NandCommand& first = make_soft(h, 3, 1, 0);
  first.more_planes = true;
  h.issue(first, 0);
  CHECK(h.issue(make_soft(h, 1, 1, 1, 1), 0) == 3 * 60 * us);
}

TEST_CASE("a single-operation read lasts as long as its slowest subpage") {
  const auto lasts = [](std::uint8_t other_levels) {
    DieHarness h;
    for (std::uint8_t k = 0; k < 2; ++k) {
      NandCommand& command = make_soft(h, k == 0 ? 1 : other_levels, k, k == 0 ? 1 : 0);
      command.single_operation = true;
      command.subpages = static_cast<std::uint8_t>(1 << k);
      command.first_byte = k * 128u;
      command.bytes = 128;
      command.more_planes = k == 0;
      const Tick end = h.issue(command, 0);
      if (k == 1) return end;
    }
    return never;
  };
  // In the same operation, the hard read of the other subpage needs 90 us. The read of this subpage needs 60 us per
  // level. The longer of the two determines the duration.
  CHECK(lasts(1) == 90 * us);
  CHECK(lasts(2) == 120 * us);
  CHECK(lasts(7) == 420 * us);
}

TEST_CASE("a cache read may be soft") {
  DieHarness h;
  NandCommand& first = h.make(read, 0, 1, 0);
  const Tick end = h.issue(first, 0);
  NandCommand& cached = h.make_cache_read(2, 1);
  cached.sensing_levels = 2;
  h.issue(cached, us);
  h.finishes_at(end);
  CHECK(h.release(first, end) == end + 3 * us + 2 * 90 * us);
}

TEST_CASE("merged wordlines and blocks in SLC mode take fewer senses at each level") {
  FakeCells cells;
  cells.result.misread_probability = 0.01;
  DieHarness h(&cells);
  h.program_pages(0, 1, 3, ProgramMode::slc);
  CHECK(h.issue(make_soft(h, 4, 1, 2), second) == second + 4 * 30 * us);
  h.finishes_at(second + 120 * us);
  h.release(h.commands.back(), second + 120 * us);
  CHECK(h.die.counters().senses == 4);
  CHECK(cells.senses.back().sensing_levels == 4);
  CHECK(h.commands.back().misread_probability == 0.01);

  h.program_pages(0, 2, 3);
  NandCommand& adjust = h.make(adjust_voltage, 0, 2, 0);
  adjust.valid_pages = 0b110;
  h.complete(adjust, 2 * second);
  const std::uint32_t senses = h.timing.codings.merging(0b110).coding.senses(0);
  CHECK(h.issue(make_soft(h, 3, 2, 1), 3 * second) == 3 * second + 3 * senses * 30 * us);
}

TEST_CASE("reads take one to seven levels, and a copyback one") {
  DieHarness h;
  NandCommand& nothing_new = make_soft(h, 3, 1, 0);
  nothing_new.earlier_levels = 3;
  h.refuses(nothing_new, 0, "so it adds none");
  h.refuses(make_soft(h, 0, 1, 0), 0, "a read takes 1 to 7 sensing levels");
  h.refuses(make_soft(h, 8, 1, 0), 0, "read die 0 plane 0 block 1 page 0 (8 sensing levels): a read takes 1 to 7");
  NandCommand& copyback = make_soft(h, 2, 1, 0);
  copyback.operation = copyback_read;
  h.refuses(copyback, 0, "the page register holds one bit of each cell");
  std::array<std::uint8_t, 8 * 512> ones{};
  NandCommand& soft = make_soft(h, 2, 1, 0);
  soft.sensed_ones = ones;
  h.refuses(soft, 0, "the simulation does not keep data with their spare bytes");
  CHECK(h.issue(make_soft(h, 7, 1, 0), 0) == 7 * 60 * us);
  h.refuses(h.make(erase), 0, "before it:\n    read die 0 plane 0 block 1 page 0 (7 sensing levels)");
}

TEST_CASE("without misreads, all senses find the stored bit") {
  const NandParameters parameters = die_parameters();
  const Geometry geometry{.planes_per_die = 1, .blocks_per_plane = 2, .pages_per_block = 3, .page_bytes = 512};
  const NandTiming timing(parameters);
  PageStore store({512, 64, 512, 64, 8 * 576}, PageStore::Spare::kept);
  Die die("die", geometry, timing, &store);
  std::array<std::byte, 576> data, out;
  for (std::size_t k = 0; k < data.size(); ++k) data[k] = static_cast<std::byte>(k * 37);
  NandCommand program_it, read_it;
  program_it.operation = program;
  program_it.data = data.data();
  die.finish(die.issue(program_it, 0));
  die.release(second);
  std::array<std::uint8_t, 8 * 576> ones;
  ones.fill(99);
  read_it.data = out.data();
  read_it.sensed_ones = ones;
  SECTION("soft") {
    read_it.sensing_levels = 5;
    die.finish(die.issue(read_it, second));
    CHECK(out == data);
    for (std::size_t bit = 0; bit < ones.size(); ++bit) {
      REQUIRE(ones[bit] == 5 * (std::to_integer<unsigned>(data[bit / 8]) >> bit % 8 & 1));
    }
  }
  SECTION("a hard read writes no soft bits") {
    die.finish(die.issue(read_it, second));
    CHECK(std::ranges::all_of(ones, [](std::uint8_t count) { return count == 99; }));
  }
}

}  // namespace
}  // namespace nandscape::nand
