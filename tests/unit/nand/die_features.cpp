// SPDX-License-Identifier: Apache-2.0
// Tests SET FEATURE and GET FEATURE, and the effect of features on reads.
#include "nand/features.h"

#include "unit/nand/die_harness.h"

namespace nandscape::nand {
namespace {

using enum NandOperation;
constexpr Tick us = microsecond;

NandParameters phases() {
  NandParameters p = die_parameters();
  p.timing.read = ReadTime::senses;
  p.timing.t_pre_us = 24;
  p.timing.t_eval_us = 5;
  p.timing.t_disch_us = 10;
  return p;
}

TEST_CASE("setting a feature takes tFEAT, and its value can be read back") {
  DieHarness h;
  NandCommand& set = h.make_set_feature(feature::vref_offset(7), {0x12, 0x34, 0x56, 0x78});
  CHECK(h.issue(set, 0) == never);
  CHECK(set.status == NandStatus::pass);
  CHECK(set.response_time == 2 * us);
  CHECK_FALSE(h.ready_at(2 * us - 1));
  for (const std::uint8_t address : {feature::vref_offset(7), feature::vref_offset(6)}) {
    NandCommand& get = h.make(get_feature);
    get.feature = address;
    const Tick now = second * address;
    CHECK(h.issue(get, now) == now + 2 * us);
    h.finishes_at(now + 2 * us);
    h.release(get, now + 2 * us);
    const bool is_set = address == feature::vref_offset(7);
    CHECK(get.feature_value == (is_set ? set.feature_value : std::array<std::uint8_t, 4>{}));
  }
}

TEST_CASE("features that the cells lack are refused") {
  DieHarness h;  // seven levels
  for (const std::uint8_t address : {0x01, 0xc1, 0xcf, 0xd7, 0xde, 0xe0}) {
    h.refuses(h.make_set_feature(address, {}), 0, "the die has no such feature");
    NandCommand& get = h.make(get_feature);
    get.feature = address;
    h.refuses(get, 0, "the die has no such feature");
  }
  NandCommand& queued = h.make_set_feature(feature::sense_timing, {});
  queued.more_planes = true;
  h.refuses(queued, 0, "is for the whole die");
}

TEST_CASE("a busy die accepts no features") {
  DieHarness h;
  h.issue(h.make(read), 0);
  h.refuses(h.make_set_feature(feature::sense_timing, {}), us);
}

TEST_CASE("a suspended die accepts features for the reads in between") {
  DieHarness h;
  h.issue(h.make(program), 0);
  h.issue(h.make(suspend), us);
  h.issue(h.make_set_feature(feature::sense_timing, {255, 255, 0, 0}), 100 * us);
  h.complete(h.make(read, 1), 200 * us);
}

TEST_CASE("shortened phases shorten tR by equation 1, to the picosecond") {
  DieHarness h(nullptr, phases());
  // tPRE is shortened to 4/5 and tEVAL to 2/3, and tDISCH stays the same, so a sense lasts 19.2 + 3.333333.. + 10 us.
  h.issue(h.make_set_feature(feature::sense_timing, {51, 85, 0, 0}), 0);
  const Tick expected[] = {65'066'667, 97'600'000, 65'066'667};
  for (std::uint32_t page = 0; page < 3; ++page) {
    NandCommand& c = h.make(read, 0, 1, page);
    const Tick now = (page + 1) * second;
    const Tick end = h.issue(c, now);
    CHECK(end == now + expected[page]);
    h.finishes_at(end);
    h.release(c, end);
  }
  // Setting the feature to zero restores the default times.
  h.issue(h.make_set_feature(feature::sense_timing, {}), 5 * second);
  CHECK(h.issue(h.make(read, 0, 1, 1), 6 * second) == 6 * second + 117 * us);
}

TEST_CASE("a read keeps its time once begun, and cache reads get the new one") {
  DieHarness h(nullptr, phases());
  h.issue(h.make_set_feature(feature::sense_timing, {0, 0, 255, 0}), 0);
  NandCommand& first = h.make(read, 0, 1, 0);
  const Tick end = h.issue(first, second);
  h.issue(h.make_cache_read(2, 1), second);
  h.finishes_at(end);
  CHECK(h.release(first, end) == end + 3 * us + 87 * us);
}

TEST_CASE("read times per page type shrink in proportion to the sum of the phases") {
  NandParameters p = phases();
  p.timing.read = ReadTime::per_page_type;
  DieHarness h(nullptr, p);
  h.issue(h.make_set_feature(feature::sense_timing, {255, 0, 0, 0}), 0);  // each sense is shortened to 15 of 39 us
  CHECK(h.issue(h.make(read, 0, 1, 1), second) == second + 34'615'385);   // 15/39 of 90 us
}

TEST_CASE("phases without duration cannot be shortened") {
  NandParameters p = phases();
  p.timing.t_pre_us = p.timing.t_eval_us = p.timing.t_disch_us = 0;
  p.timing.read = ReadTime::per_page_type;
  DieHarness h(nullptr, p);
  h.issue(h.make_set_feature(feature::sense_timing, {255, 255, 255, 0}), 0);
  CHECK(h.issue(h.make(read, 0, 1, 1), second) == second + 90 * us);
}

TEST_CASE("cells receive shortened phases, level offsets and retry steps") {
  FakeCells cells;
  DieHarness h(&cells, phases());
  h.die.precondition(PlaneInDie(0), BlockInPlane(1), 9);
  h.complete(h.make(read, 0, 1, 4), 0);
  CHECK(cells.senses.back().vref_offsets_mv.empty());
  CHECK(cells.senses.back().retry_step == 0);
  CHECK(cells.senses.back().timing == nullptr);

  h.issue(h.make_set_feature(feature::sense_timing, {51, 0, 0, 0}), second);
  h.issue(h.make_set_feature(feature::vref_offset(2), {0xf6, 0xff, 0, 0}), 2 * second);
  NandCommand& retry = h.make(read, 0, 1, 4);
  retry.retry_step = 12;
  h.complete(retry, 3 * second);
  const SenseOrder& order = cells.senses.back();
  REQUIRE(order.timing != nullptr);
  CHECK(order.timing->t_pre_us == Approx(19.2));
  CHECK(order.timing->t_disch_us == 10);
  REQUIRE(order.vref_offsets_mv.size() == 7);
  CHECK(order.vref_offsets_mv[0] == 0);
  CHECK(order.vref_offsets_mv[1] == -10);
  CHECK(order.retry_step == 12);
}

TEST_CASE("the level of SLC mode has its own offset") {
  FakeCells cells;
  DieHarness h(&cells);
  h.program_pages(0, 1, 2, ProgramMode::slc);
  h.issue(h.make_set_feature(feature::vref_offset(1), {100, 0, 0, 0}), second);
  h.complete(h.make(read, 0, 1, 1), 2 * second);
  CHECK(cells.senses.back().vref_offsets_mv.empty());
  h.issue(h.make_set_feature(feature::vref_offset_slc, {5, 0, 0, 0}), 3 * second);
  h.complete(h.make(read, 0, 1, 1), 4 * second);
  REQUIRE(cells.senses.back().vref_offsets_mv.size() == 1);
  CHECK(cells.senses.back().vref_offsets_mv[0] == 5);
}

}  // namespace
}  // namespace nandscape::nand
