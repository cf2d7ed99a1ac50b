// SPDX-License-Identifier: Apache-2.0
// Tests the working time of the flash arrays, and the energy that is calculated from it.
#include "unit/nand/die_harness.h"

namespace nandscape::nand {
namespace {

using enum NandOperation;
constexpr Tick us = microsecond;

TEST_CASE("each working plane counts the time of its operation") {
  DieHarness h;
  h.complete(h.make(read, 0, 1, 1), 0);
  NandCommand& first = h.make_queued(program, 0, 2, 0);
  NandCommand& other = h.make(program, 1, 2, 0);
  h.issue(first, second);
  const Tick end = h.issue(other, second);
  h.die.finish(end);
  h.release(first, end);
  h.release(other, end);
  h.complete(h.make(erase, 0, 3), 2 * second);
  const ArrayTimes& array = h.die.counters().array;
  CHECK(array.reading == 90 * us);
  CHECK(array.programming == 2 * 700 * us);
  CHECK(array.erasing == 3000 * us);
  // 45 mW for 90 us of reads, 30 mW for 1400 us of programs and 10 mW for 3000 us of erases
  CHECK(array_joules({45, 30, 10}, array) == Approx(4.05e-6 + 42e-6 + 30e-6));
}

TEST_CASE("a cache read counts as a read, and a suspended program once") {
  DieHarness h;
  NandCommand& before = h.make(read, 0, 1, 0);
  NandCommand& cached = h.make_cache_read(1, 2);
  Tick end = h.issue(before, 0);
  h.issue(cached, 0);
  h.die.finish(end);
  end = h.release(before, end);
  h.die.finish(end);
  h.release(cached, end);
  CHECK(h.die.counters().array.reading == 60 * us + 70 * us);
  h.issue(h.make(program, 0, 2, 0), second);
  h.issue(h.make(suspend), second + 100 * us);
  h.issue(h.make(resume), 2 * second);
  h.issue(h.make(suspend), 2 * second + 50 * us);
  h.die.finish(h.issue(h.make(resume), 3 * second));
  CHECK(h.die.counters().array.programming == 700 * us);
}

TEST_CASE("a cached program counts like others, except for the part that a reset cuts off") {
  DieHarness h;
  NandCommand& first = h.make(program, 0, 1, 0);
  first.cache = true;
  NandCommand& second_page = h.make(program, 0, 1, 1);
  Tick end = h.issue(first, 0);
  h.issue(second_page, 100 * us);
  h.die.finish(end);
  end = h.release(first, end);
  CHECK(h.die.counters().array.programming == 2 * 700 * us);
  CHECK(h.die.counters().array.busy == 2 * 700 * us);
  h.issue(h.make(reset), end - 300 * us);
  CHECK(h.die.counters().array.programming == 1100 * us);
  CHECK(h.die.counters().array.busy == 1100 * us);
}

TEST_CASE("the array time ahead is that of the operations under way, including what a suspended one has left") {
  DieHarness h;
  const auto ahead = [&](Tick now) { return h.die.array_times_ahead(now); };
  h.issue(h.make(program, 0, 2, 0), 0);
  CHECK(ahead(0).programming == 700 * us);
  CHECK(ahead(100 * us).programming == 600 * us);
  h.issue(h.make(suspend), 100 * us);
  CHECK(ahead(300 * us).programming == 600 * us);
  const Tick end = h.issue(h.make(resume), second);
  CHECK(ahead(end - 50 * us).programming == 50 * us);
  CHECK(ahead(end - 50 * us).busy == 50 * us);
  h.die.finish(end);
  CHECK(ahead(end).programming == 0);
}

TEST_CASE("time cut off by a reset or power cut does not count") {
  DieHarness h;
  const bool reset_it = GENERATE(false, true);
  const auto stop = [&](Tick now) {
    if (reset_it) {
      h.issue(h.make(reset), now);
      while (h.die.take_aborted() != nullptr) {
      }
    } else {
      h.die.power_cut(now);
    }
  };
  h.issue(h.make(erase, 0, 1), 0);
  stop(1000 * us);
  CHECK(h.die.counters().array.erasing == 1000 * us);
  h.issue(h.make(erase, 0, 1), second);
  h.issue(h.make(suspend), second + 500 * us);
  h.issue(h.make(read, 0, 2, 0), second + 600 * us);
  stop(second + 610 * us);
  CHECK(h.die.counters().array.erasing == 1500 * us);
  CHECK(h.die.counters().array.reading == 10 * us);
}

}  // namespace
}  // namespace nandscape::nand
