// SPDX-License-Identifier: Apache-2.0
// Tests suspending and resuming programs and erases: the remaining times, and the commands that are accepted in
// between.
#include "unit/nand/die_harness.h"

namespace nandscape::nand {
namespace {

using enum NandOperation;
constexpr Tick us = microsecond;

Tick array_time(NandOperation operation) { return operation == program ? 700 * us : 3000 * us; }

TEST_CASE("a suspended operation keeps its remaining time") {
  const NandOperation operation = GENERATE(program, erase);
  const Tick done = GENERATE(Tick{0}, Tick{1}, 250 * us, 700 * us - 1);
  DieHarness h;
  NandCommand& victim = h.make(operation);
  h.issue(victim, 0);
  NandCommand& stop = h.make(suspend);
  CHECK(h.issue(stop, done) == never);
  CHECK(stop.status == NandStatus::pass);
  CHECK(stop.response_time == 20 * us);
  const Tick resumed = second;
  const Tick end = h.issue(h.make(resume), resumed);
  CHECK(end == resumed + 25 * us + array_time(operation) - done);
  h.finishes_at(end);
  h.release(victim, end);
  CHECK(h.die.counters().suspends == 1);
}

TEST_CASE("the die is blocked until tSUSPEND is over") {
  DieHarness h;
  h.issue(h.make(program), 0);
  h.issue(h.make(suspend), 100 * us);
  CHECK_FALSE(h.ready_at(120 * us - 1));
  CHECK_FALSE(h.die.accepts(h.make(resume), 120 * us - 1));
  CHECK(h.ready_at(120 * us));
  CHECK(h.die.accepts(h.make(resume), 120 * us));
}

TEST_CASE("a suspended die accepts reads, but no programs or erases") {
  DieHarness h;
  NandCommand& victim = h.make(erase, 0, 1);
  h.issue(victim, 0);
  h.issue(h.make(suspend), us);
  for (const NandOperation operation : {program, erase}) h.refuses(h.make(operation, 1, 2), second);
  h.refuses(h.make(suspend), second);
  NandCommand& first = h.make_queued(read, 0, 2, 0);
  NandCommand& other = h.make(read, 1, 1, 0);
  h.issue(first, second);
  const Tick end = h.issue(other, second);
  CHECK(end == second + 60 * us);
  h.refuses(h.make(resume), second);  // during the read
  h.finishes_at(end);
  h.refuses(h.make(resume), end);  // while data wait
  h.release(first, end);
  h.release(other, end);
  CHECK(h.issue(h.make(resume), end) == end + 25 * us + 3000 * us - us);
}

TEST_CASE("the target of a suspended program or erase cannot be read") {
  DieHarness h;
  SECTION("a page") {
    h.complete(h.make(program, 0, 1, 0), 0);
    h.issue(h.make(program, 0, 1, 1), second);
    h.issue(h.make(suspend), second + us);
    h.refuses(h.make(read, 0, 1, 1), 2 * second, "it reads cells of a suspended operation");
    h.complete(h.make(read, 0, 1, 0), 2 * second);
    h.complete(h.make(read, 1, 1, 1), 3 * second);
  }
  SECTION("a block") {
    h.issue(h.make(erase, 1, 2), 0);
    h.issue(h.make(suspend), us);
    h.refuses(h.make(read, 1, 2, 7), second, "it reads cells of a suspended operation");
    h.complete(h.make(read, 1, 3, 7), second);
  }
}

TEST_CASE("a suspend with nothing to suspend fails and has no effect") {
  DieHarness h;
  NandCommand& stop = h.make(suspend);
  SECTION("idle") {
    h.issue(stop, 0);
    CHECK(h.ready_at(0));
  }
  SECTION("reading") {
    NandCommand& r = h.make(read);
    const Tick end = h.issue(r, 0);
    h.issue(stop, us);
    h.finishes_at(end);
  }
  SECTION("at the very end of a program") {
    const Tick end = h.issue(h.make(program), 0);
    h.issue(stop, end);
    h.finishes_at(end);
  }
  SECTION("after the end of a program") {
    const Tick end = h.issue(h.make(program), 0);
    h.die.finish(end);
    h.issue(stop, end + 1);
    CHECK(h.die.response() != nullptr);
  }
  CHECK(stop.status == NandStatus::fail);
  CHECK(stop.response_time == 0);
  CHECK(h.die.counters().suspends == 0);
}

TEST_CASE("an operation suspended again during tRESUME makes no progress") {
  DieHarness h;
  h.issue(h.make(program), 0);
  h.issue(h.make(suspend), 300 * us);
  Tick now = 400 * us;
  for (int k = 0; k < 5; ++k) {
    CHECK(h.issue(h.make(resume), now) == now + 25 * us + 400 * us);
    h.issue(h.make(suspend), now + 10 * us);
    now += 100 * us;
  }
  // The remaining time becomes shorter only after tRESUME, when the array works again.
  h.issue(h.make(resume), now);
  h.issue(h.make(suspend), now + 25 * us + 150 * us);
  CHECK(h.issue(h.make(resume), second) == second + 25 * us + 250 * us);
  CHECK(h.die.counters().suspends == 7);
}

TEST_CASE("all planes of an operation are suspended and resumed together") {
  DieHarness h;
  NandCommand& first = h.make_queued(program, 0);
  NandCommand& second_plane = h.make(program, 1);
  h.issue(first, 0);
  h.issue(second_plane, 0);
  h.issue(h.make(suspend), 100 * us);
  h.complete(h.make(read, 0, 3), 200 * us);
  const Tick end = h.issue(h.make(resume), 300 * us);
  CHECK(end == 300 * us + 25 * us + 600 * us);
  h.finishes_at(end);
  h.release(first, end);
  h.release(second_plane, end);
  CHECK(h.die.counters().page_programs == 2);
}

}  // namespace
}  // namespace nandscape::nand
