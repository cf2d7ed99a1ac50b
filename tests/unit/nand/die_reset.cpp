// SPDX-License-Identifier: Apache-2.0
// Tests the reset of a die: which commands it aborts, its duration, and the state after it.
#include "unit/nand/die_harness.h"

namespace nandscape::nand {
namespace {

using enum NandOperation;
constexpr Tick us = microsecond;

// Issues a reset and checks that it lasts for the given duration.
void reset_takes(DieHarness& h, Tick now, Tick duration) {
  NandCommand& command = h.make(reset);
  CHECK(h.issue(command, now) == never);
  CHECK(command.status == NandStatus::pass);
  CHECK(command.response_time == duration);
  CHECK_FALSE(h.ready_at(now + duration - 1));
  CHECK(h.ready_at(now + duration));
}

void aborted(DieHarness& h, const NandCommand& command) {
  CHECK(h.die.take_aborted() == &command);
  CHECK(command.status == NandStatus::aborted);
  CHECK(command.response_time == 0);
}

TEST_CASE("a reset of an idle die takes tRST and aborts nothing") {
  DieHarness h;
  reset_takes(h, us, 5 * us);
  CHECK(h.die.take_aborted() == nullptr);
  CHECK(h.die.counters().resets == 1);
}

TEST_CASE("a reset aborts a read, which returns no data") {
  DieHarness h;
  NandCommand& victim = h.make(read, 0, 1, 1);
  NandCommand& cached = h.make_cache_read(2, 0);
  const Tick end = h.issue(victim, 0);
  const bool pending = GENERATE(false, true);
  if (pending) h.issue(cached, us);
  reset_takes(h, 10 * us, 5 * us);
  aborted(h, victim);
  if (pending) aborted(h, cached);
  CHECK(h.die.take_aborted() == nullptr);
  CHECK(h.die.response() == nullptr);
  CHECK_THROWS_AS(h.die.finish(end), ProtocolError);
  CHECK(h.die.counters().page_reads == 0);
  // The aborted read must not affect later reads.
  h.complete(h.make(read, 0, 1, 1), 15 * us);
  CHECK(h.ready_at(second));
}

TEST_CASE("queued planes are aborted, and a program that did not start leaves its page erased") {
  DieHarness h;
  NandCommand& queued = h.make_queued(program, 0, 2, 0);
  h.issue(queued, 0);
  reset_takes(h, us, 5 * us);
  aborted(h, queued);
  h.complete(h.make(program, 0, 2, 0), second);
}

TEST_CASE("an interrupted program uses up its page") {
  DieHarness h;
  NandCommand& first = h.make_queued(program, 0, 2, 0);
  NandCommand& other = h.make(program, 1, 2, 0);
  h.issue(first, 0);
  h.issue(other, 0);
  reset_takes(h, 100 * us, 11 * us);
  aborted(h, first);
  aborted(h, other);
  h.refuses(h.make(program, 0, 2, 0), second, "programmed already");
  h.complete(h.make(program, 0, 2, 1), second);
  CHECK(h.store.pages() == 0);
}

TEST_CASE("an interrupted erase leaves a block that must be erased again") {
  std::array<std::byte, 512> data{};
  DieHarness h;
  NandCommand& before = h.make(program, 0, 3, 0);
  before.data = data.data();
  h.complete(before, 0);
  NandCommand& victim = h.make(erase, 0, 3);
  h.issue(victim, second);
  reset_takes(h, second + us, 510 * us);
  aborted(h, victim);
  CHECK(h.store.pages() == 0);
  h.refuses(h.make(program, 0, 3, 0), 2 * second, "failed or was interrupted");
  h.complete(h.make(erase, 0, 3), 2 * second);
  h.complete(h.make(program, 0, 3, 0), 3 * second);
}

TEST_CASE("a suspended operation is aborted too, with the longer tRST") {
  DieHarness h;
  NandCommand& victim = h.make(erase, 0, 3);
  NandCommand& reading = h.make(read, 1, 1, 0);
  h.issue(victim, 0);
  h.issue(h.make(suspend), us);
  SECTION("during a read") {
    h.issue(reading, 100 * us);
    reset_takes(h, 110 * us, 510 * us);
    aborted(h, reading);
  }
  // A reset must be accepted even while the die is still suspending an operation.
  SECTION("during tSUSPEND") { reset_takes(h, 2 * us, 510 * us); }
  aborted(h, victim);
  h.refuses(h.make(resume), second);
  h.refuses(h.make(program, 0, 3, 0), second, "failed or was interrupted");
}

TEST_CASE("a reset is refused while a response waits in the register") {
  DieHarness h;
  NandCommand& victim = h.make(read);
  const Tick end = h.issue(victim, 0);
  h.die.finish(end);
  h.refuses(h.make(reset), end);
  h.release(victim, end);
  reset_takes(h, end, 5 * us);
}

TEST_CASE("an interrupted adjustment tears its wordline") {
  DieHarness h;
  h.die.precondition(PlaneInDie(0), BlockInPlane(1), 9);
  NandCommand& adjust = h.make(adjust_voltage, 0, 1, 3);
  adjust.valid_pages = 0b110;
  h.issue(adjust, 0);
  reset_takes(h, us, 11 * us);
  aborted(h, adjust);
  CHECK(h.torn(1, 4, second));
  h.complete(h.make(read, 0, 1, 2), 2 * second);
}

TEST_CASE("a reset keeps features and drops the pages that wait for copyback") {
  DieHarness h;
  h.issue(h.make_set_feature(0xc0, {51, 51, 51, 0}), 0);
  h.complete(h.make(copyback_read, 0, 1, 0), second);
  h.issue(h.make(reset), 2 * second);
  h.refuses(h.make(copyback_program, 0, 2, 0), 3 * second, "holds no page");
  CHECK(h.issue(h.make(read, 0, 1, 0), 3 * second) == 3 * second + 48 * us);
}

}  // namespace
}  // namespace nandscape::nand
