// SPDX-License-Identifier: Apache-2.0
#include "nand/cell_models/block_histories.h"

#include <memory>

#include "catch.h"

using namespace nandscape;
using namespace nandscape::nand;

namespace {

constexpr double month_hours = 730;
constexpr Tick hour = Tick{3600} * 1'000'000'000'000;

// Returns block histories for initial data that are ten days old, stored and operated at 30 C.
BlockHistories ten_days_old() {
  ConditionParameters first;
  first.pe_cycles = 1000;
  first.retention_days = 10;
  first.block_reads = 500;
  return {first, 1, 1, 8};
}

}  // namespace

TEST_CASE("block histories: initial data") {
  const BlockHistories histories = ten_days_old();
  CHECK(histories.cycles(BlockInDie(3)) == 1000);
  CHECK(histories.reads(BlockInDie(3)) == 500);
  CHECK(histories.age_months(BlockInDie(3), 7, 0) == Approx(240 / month_hours));
  CHECK(histories.age_months(BlockInDie(3), 7, hour) == Approx(241 / month_hours));
}

// Block b is b days older than the base age. An exception is block 5, which was written separately, 5 days ago.
struct OlderByNumber final : InitialAges {
  bool from_first_condition(BlockInDie block) const override { return block != BlockInDie(5); }
  double hours(BlockInDie block) const override { return 24 * block.value; }
};

TEST_CASE("block histories: initial data may have different ages") {
  ConditionParameters first;
  first.retention_days = 10;
  constexpr double storage = 1, running = 20;
  BlockHistories histories(first, storage, running, 8, std::make_unique<OlderByNumber>());
  CHECK(histories.age_months(BlockInDie(0), 0, 0) == Approx(240 / month_hours));
  CHECK(histories.age_months(BlockInDie(3), 0, 0) == Approx((240 + 20 * 72) / month_hours));
  CHECK(histories.age_months(BlockInDie(3), 0, hour) == Approx((240 + 20 * 73) / month_hours));
  CHECK(histories.age_months(BlockInDie(5), 0, 0) == Approx(20 * 120 / month_hours));
  // A read must not change the age of the block; only a rewrite may.
  histories.read(BlockInDie(3));
  CHECK(histories.age_months(BlockInDie(3), 0, hour) == Approx((240 + 20 * 73) / month_hours));
  histories.erase(BlockInDie(3));
  histories.program(BlockInDie(3), 0, hour);
  CHECK(histories.age_months(BlockInDie(3), 0, 2 * hour) == Approx(20 / month_hours));
}

TEST_CASE("block histories: an erase starts anew") {
  BlockHistories histories = ten_days_old();
  histories.read(BlockInDie(2));
  CHECK(histories.reads(BlockInDie(2)) == 501);
  histories.erase(BlockInDie(2));
  CHECK(histories.cycles(BlockInDie(2)) == 1001);
  CHECK(histories.reads(BlockInDie(2)) == 0);
  histories.program(BlockInDie(2), 0, 5 * hour);
  histories.program(BlockInDie(2), 1, 5 * hour);
  histories.program(BlockInDie(2), 2, 9 * hour);
  CHECK(histories.age_months(BlockInDie(2), 0, 10 * hour) == Approx(5 / month_hours));
  CHECK(histories.age_months(BlockInDie(2), 1, 10 * hour) == Approx(5 / month_hours));
  CHECK(histories.age_months(BlockInDie(2), 2, 10 * hour) == Approx(1 / month_hours));
  CHECK(histories.cycles(BlockInDie(1)) == 1000);
}

TEST_CASE("block histories: later pages of a block with initial data") {
  BlockHistories histories = ten_days_old();
  histories.program(BlockInDie(4), 6, 2 * hour);
  CHECK(histories.age_months(BlockInDie(4), 5, 2 * hour) == Approx(242 / month_hours));
  CHECK(histories.age_months(BlockInDie(4), 6, 2 * hour) == 0);
}

TEST_CASE("block histories: time counts according to temperature") {
  ConditionParameters first;
  first.retention_days = 10;
  const BlockHistories hot(first, 4, 20, 8);
  CHECK(hot.age_months(BlockInDie(0), 0, 0) == Approx(4 * 240 / month_hours));
  CHECK(hot.age_months(BlockInDie(0), 0, hour) == Approx((4 * 240 + 20) / month_hours));
}

TEST_CASE("block histories: time outside the simulation counts for all data") {
  BlockHistories histories = ten_days_old();
  histories.program(BlockInDie(2), 0, 5 * hour);
  histories.advance(3);
  CHECK(histories.age_months(BlockInDie(2), 0, 6 * hour) == Approx(3 + 1 / month_hours));
  CHECK(histories.age_months(BlockInDie(3), 0, 0) == Approx(3 + 240 / month_hours));
  // Pages that are programmed later are new at that time.
  histories.program(BlockInDie(2), 1, 7 * hour);
  CHECK(histories.age_months(BlockInDie(2), 1, 8 * hour) == Approx(1 / month_hours));
  CHECK(histories.age_months(BlockInDie(2), 0, 8 * hour) == Approx(3 + 3 / month_hours));
}

TEST_CASE("block histories: adjusted wordlines have separate ages") {
  BlockHistories histories = ten_days_old();
  histories.adjust(BlockInDie(2), 3, 5 * hour);
  histories.adjust(BlockInDie(2), 1, 6 * hour);
  const auto hours_old = [](const BlockHistories& of, std::uint32_t wordline) {
    return of.age_months(BlockInDie(2), wordline, 7 * hour) * month_hours;
  };
  CHECK(hours_old(histories, 0) == Approx(247));
  CHECK(hours_old(histories, 1) == Approx(1));
  CHECK(hours_old(histories, 2) == Approx(247));
  CHECK(hours_old(histories, 3) == Approx(2));
  histories.adjust(BlockInDie(2), 3, 7 * hour);
  CHECK(hours_old(histories, 3) == Approx(0).margin(1e-9));

  Archive out;
  histories.persist(out, 7 * hour, 4);
  const std::vector<std::byte> bytes = out.take();
  BlockHistories other = ten_days_old();
  Archive in(bytes);
  other.persist(in, 7 * hour, 4);
  CHECK(hours_old(other, 1) == Approx(1));

  histories.erase(BlockInDie(2));
  histories.program(BlockInDie(2), 0, 4 * hour);
  CHECK(hours_old(histories, 1) == Approx(3));
}

TEST_CASE("block histories: ages stay correct when restored at another time of the clock") {
  BlockHistories histories = ten_days_old();
  histories.erase(BlockInDie(2));
  histories.program(BlockInDie(2), 0, 5 * hour);
  histories.read(BlockInDie(2));
  histories.advance(2);
  Archive out;
  histories.persist(out, 6 * hour, 4);
  const std::vector<std::byte> bytes = out.take();
  const Tick now = GENERATE(Tick{0}, 6 * hour, 100 * hour);
  BlockHistories other = ten_days_old();
  Archive in(bytes);
  other.persist(in, now, 4);
  CHECK(other.cycles(BlockInDie(2)) == 1001);
  CHECK(other.reads(BlockInDie(2)) == 1);
  CHECK(other.age_months(BlockInDie(2), 0, now + hour) == Approx(2 + 2 / month_hours));
  CHECK(other.age_months(BlockInDie(1), 0, now) == Approx(2 + 246 / month_hours));
}
