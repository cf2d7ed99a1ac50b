// SPDX-License-Identifier: Apache-2.0
// Tests which commands a die accepts in each state, their durations, and the errors for refused commands.
#include "unit/nand/die_harness.h"

namespace nandscape::nand {
namespace {

using enum NandOperation;
constexpr Tick us = microsecond;

TEST_CASE("a read takes the time of its page type") {
  DieHarness h;
  const std::uint32_t page = GENERATE(0u, 1u, 2u, 3u, 4u, 8u);
  const Tick expected[] = {60 * us, 90 * us, 70 * us};
  NandCommand& read_page = h.make(read, 1, 2, page);
  const Tick end = h.issue(read_page, 1000);
  CHECK(end == 1000 + expected[page % 3]);
  h.finishes_at(end);
  CHECK(h.release(read_page, end + 5) == never);
  CHECK(h.die.response() == nullptr);
  CHECK(h.ready_at(end + 5));
}

TEST_CASE("a program takes tPROG, an erase tBERS") {
  DieHarness h;
  NandCommand& program_page = h.make(program, 0, 3, 0);
  const Tick programmed = h.issue(program_page, 7);
  CHECK(programmed == 7 + 700 * us);
  h.finishes_at(programmed);
  h.release(program_page, programmed);
  NandCommand& erase_block = h.make(erase, 0, 3);
  const Tick erased = h.issue(erase_block, programmed);
  CHECK(erased == programmed + 3000 * us);
  h.finishes_at(erased);
  h.release(erase_block, erased);
  CHECK(h.die.counters().page_programs == 1);
  CHECK(h.die.counters().block_erases == 1);
}

TEST_CASE("a die that programs whole wordlines loads all pages but the last, which programs them") {
  NandParameters parameters = die_parameters();
  parameters.timing.program_unit = ProgramUnit::wordline;
  parameters.timing.t_load_us = 4;
  parameters.timing.t_prog_us = 1200;
  DieHarness h(nullptr, parameters);
  Tick now = 0;
  for (std::uint32_t page = 0; page < 6; ++page) {
    NandCommand& command = h.make(NandOperation::program, 0, 1, page);
    const Tick end = h.issue(command, now);
    CHECK(end - now == (page % 3 == 2 ? 1200 : 4) * microsecond);
    h.finishes_at(end);
    h.release(command, end);
    now = end;
  }
  CHECK(h.die.counters().array.programming == 2 * (1200 + 2 * 4) * microsecond);
  CHECK(h.timing.mean_page_program() == (1200 + 2 * 4) * microsecond / 3);
  // Blocks in SLC mode have one page per wordline.
  NandCommand& slc = h.make(NandOperation::program, 0, 2, 0);
  slc.mode = ProgramMode::slc;
  CHECK(h.issue(slc, now) == now + 190 * microsecond);
}

TEST_CASE("a die is blocked until its response has been fetched") {
  DieHarness h;
  NandCommand& busy = h.make(read);
  const Tick end = h.issue(busy, 0);
  for (const NandOperation operation : {read, program, erase, resume}) {
    NandCommand& other = h.make(operation, 1);
    CHECK_FALSE(h.die.accepts(other, end - 1));
    h.refuses(other, end - 1);
  }
  h.die.finish(end);
  for (const NandOperation operation : {read, program, erase, resume}) {
    NandCommand& other = h.make(operation, 1);
    CHECK_FALSE(h.die.accepts(other, end));
    h.refuses(other, end);
  }
  h.release(busy, end);
  for (const NandOperation operation : {read, program, erase}) CHECK(h.die.accepts(h.make(operation, 1), end));
  // The refused commands must have no effect, so the first page of the block is still the next one to be programmed.
  h.complete(h.make(program, 1, 0, 0), end);
}

TEST_CASE("an idle die has nothing to finish, to release or to resume") {
  DieHarness h;
  CHECK_THROWS_WITH(h.die.finish(5), ContainsSubstring("no array operation ends now"));
  CHECK_THROWS_WITH(h.die.release(5), ContainsSubstring("release() was called, but no response is under way"));
  NandCommand& none = h.make(resume);
  CHECK_FALSE(h.die.accepts(none, 5));
  h.refuses(none, 5);
}

TEST_CASE("pages of a block are programmed in order") {
  DieHarness h;
  h.refuses(h.make(program, 0, 1, 1), 0, "page 0 is next");
  Tick now = 0;
  for (std::uint32_t page = 0; page < 9; ++page, now += second) h.complete(h.make(program, 0, 1, page), now);
  h.refuses(h.make(program, 0, 1, 8), now, "programmed already");
  h.refuses(h.make(program, 0, 1, 0), now, "programmed already");
  h.complete(h.make(program, 1, 1, 0), now);  // a different block, since it is on the other plane
  h.complete(h.make(erase, 0, 1), now + second);
  h.refuses(h.make(program, 0, 1, 2), now + 2 * second, "page 0 is next");
  h.complete(h.make(program, 0, 1, 0), now + 2 * second);
}

TEST_CASE("a preconditioned block is programmed up to the given page") {
  DieHarness h;
  h.die.precondition(PlaneInDie(1), BlockInPlane(4), 3);
  h.refuses(h.make(program, 1, 4, 2), 0, "programmed already");
  h.refuses(h.make(program, 1, 4, 4), 0, "page 3 is next");
  h.complete(h.make(program, 1, 4, 3), 0);
  h.complete(h.make(program, 0, 4, 0), second);
}

TEST_CASE("addresses out of range are refused") {
  DieHarness h;
  for (NandCommand* command : {&h.make(read, 2, 0, 0), &h.make(read, 0, 6, 0), &h.make(read, 0, 0, 9)}) {
    h.refuses(*command, 0, "the die has 2 planes of 6 blocks of 9 pages");
  }
}

TEST_CASE("a multi-plane read starts with its last plane and takes the time of the slower page") {
  DieHarness h;
  NandCommand& first = h.make_queued(read, 1, 2, 0);  // 60 us
  NandCommand& second = h.make(read, 0, 3, 1);        // 90 us
  CHECK(h.issue(first, 0) == never);
  CHECK_THROWS_AS(h.die.finish(second.page), ProtocolError);
  const Tick end = h.issue(second, 10 * us);
  CHECK(end == 100 * us);
  h.finishes_at(end);
  h.release(first, end);
  CHECK_FALSE(h.ready_at(end));
  h.release(second, end);
  CHECK(h.ready_at(end));
  CHECK(h.die.counters().page_reads == 2);
  CHECK(h.die.counters().senses == 2 + 3);
}

TEST_CASE("while planes are queued, the die accepts only the same operation on other planes") {
  DieHarness h;
  const NandOperation operation = GENERATE(read, program, erase);
  h.issue(h.make_queued(operation, 0), 0);
  h.refuses(h.make(operation, 0, 1), 0);
  for (const NandOperation other : {read, program, erase, resume}) {
    if (other != operation) h.refuses(h.make(other, 1), 0);
  }
  h.issue(h.make(operation, 1), 0);
}

TEST_CASE("a multi-plane program and a multi-plane erase take the time of one") {
  DieHarness h;
  NandCommand& p0 = h.make_queued(program, 0);
  NandCommand& p1 = h.make(program, 1);
  h.issue(p0, 0);
  CHECK(h.issue(p1, 5) == 5 + 700 * us);
  h.finishes_at(5 + 700 * us);
  h.release(p0, 701 * us);
  h.release(p1, 702 * us);
  NandCommand& e0 = h.make_queued(erase, 0);
  NandCommand& e1 = h.make(erase, 1);
  h.issue(e0, 800 * us);
  CHECK(h.issue(e1, 801 * us) == 3801 * us);
  h.finishes_at(3801 * us);
  h.release(e0, 3801 * us);
  h.release(e1, 3801 * us);
  h.complete(h.make(program, 1), second);
}

TEST_CASE("a refusal reports the command and the preceding ones") {
  DieHarness h;
  CHECK_THROWS_WITH(h.die.issue(h.make(program, 0, 1, 5), 0),
                    "die: program die 0 plane 0 block 1 page 5: pages of a block are programmed in order; page 0 is "
                    "next\n  before it: nothing");
  Tick now = 0;
  for (std::uint32_t page = 0; page < 9; ++page, now += second) h.complete(h.make(program, 0, 1, page), now);
  h.issue(h.make_queued(read, 0, 1, 7), now);
  // Lists only the last eight of ten commands.
  CHECK_THROWS_WITH(h.die.issue(h.make(erase, 1, 2), now),
                    ContainsSubstring("erase die 0 plane 1 block 2 page 0: the die cannot take it now\n  before it:\n"
                                      "    program die 0 plane 0 block 1 page 2\n") &&
                        ContainsSubstring("\n    read die 0 plane 0 block 1 page 7 (queued)"));
}

}  // namespace
}  // namespace nandscape::nand
