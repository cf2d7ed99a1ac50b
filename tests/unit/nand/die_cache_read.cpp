// SPDX-License-Identifier: Apache-2.0
// Tests cache reads, which are sensed while the data of the previous read are transferred out.
#include "unit/nand/die_harness.h"

namespace nandscape::nand {
namespace {

using enum NandOperation;
constexpr Tick us = microsecond;

TEST_CASE("a cache read starts after its cycles, sent before the data-out, and tRCBSY") {
  DieHarness h;
  NandCommand& first = h.make(read, 0, 1, 0);
  NandCommand& cached = h.make_cache_read(1, 1);  // 90 us
  const Tick end = h.issue(first, 0);
  CHECK(h.issue(cached, us) == never);
  CHECK(cached.response_time == 3 * us);
  h.finishes_at(end);
  SECTION("the array takes longer than the data-out") {
    first.cache_read_confirmed = end + us;  // set by the channel: the time at which the command cycles end
    CHECK(h.release(first, end + 20 * us) == end + us + 3 * us + 90 * us);
    h.finishes_at(end + 94 * us);
  }
  SECTION("the data-out takes longer than the array") {
    first.cache_read_confirmed = end + us;
    CHECK(h.release(first, end + 200 * us) == end + 200 * us);
    h.finishes_at(end + 200 * us);
  }
  SECTION("the cycles follow the data-out") {
    CHECK(h.release(first, end + 20 * us) == end + 20 * us + 3 * us + 90 * us);
    h.finishes_at(end + 113 * us);
  }
  h.release(cached, second);
  CHECK(h.ready_at(second));
  CHECK(h.die.counters().page_reads == 2);
}

TEST_CASE("cache reads can follow each other") {
  DieHarness h;
  NandCommand& first = h.make(read, 0, 1, 0);
  NandCommand& middle = h.make_cache_read(1, 3);
  NandCommand& last = h.make_cache_read(1, 6);
  h.issue(first, 0);
  h.issue(middle, 0);
  h.refuses(last, 0);  // one at a time
  h.die.finish(60 * us);
  first.cache_read_confirmed = 61 * us;
  CHECK(h.release(first, 80 * us) == 124 * us);
  h.issue(last, 100 * us);
  h.die.finish(124 * us);
  middle.cache_read_confirmed = 125 * us;
  CHECK(h.release(middle, 150 * us) == 188 * us);
  h.die.finish(188 * us);
  CHECK(h.release(last, 200 * us) == never);
}

TEST_CASE("a cache read needs a preceding read whose data are still in the register") {
  DieHarness h;
  h.refuses(h.make_cache_read(0, 0), 0);  // idle
  SECTION("a program does not qualify") {
    h.issue(h.make(program), 0);
    h.refuses(h.make_cache_read(1, 0), us);
  }
  SECTION("a plane whose data have moved out is too late") {
    NandCommand& first = h.make_queued(read, 0);
    h.issue(first, 0);
    const Tick end = h.issue(h.make(read, 1), 0);
    h.die.finish(end);
    h.release(first, end);
    h.refuses(h.make_cache_read(1, 0), end);
  }
  SECTION("waiting data qualify") {
    const Tick end = h.issue(h.make(read), 0);
    h.die.finish(end);
    h.issue(h.make_cache_read(1, 0), end);
  }
}

TEST_CASE("a cache read waits until every plane of a multi-plane read has moved out") {
  DieHarness h;
  NandCommand& p0 = h.make_queued(read, 0, 1, 0);
  NandCommand& p1 = h.make(read, 1, 1, 0);
  NandCommand& cached = h.make_cache_read(2, 0);
  h.issue(p0, 0);
  h.issue(p1, 0);
  h.issue(cached, us);
  h.die.finish(60 * us);
  p0.cache_read_confirmed = 61 * us;
  CHECK(h.release(p0, 80 * us) == never);
  CHECK(h.release(p1, 150 * us) == 150 * us);
  h.finishes_at(150 * us);
  h.release(cached, 160 * us);
}

}  // namespace
}  // namespace nandscape::nand
