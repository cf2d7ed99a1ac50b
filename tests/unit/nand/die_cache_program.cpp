// SPDX-License-Identifier: Apache-2.0
// Tests cache programs, which wait in the cache register while the array works on the previous program.
#include "unit/nand/die_harness.h"

namespace nandscape::nand {
namespace {

using enum NandOperation;
constexpr Tick us = microsecond;
constexpr Tick t_prog = 700 * us, t_pcbsy = 3 * us;

struct Caching : DieHarness {
  explicit Caching(CellArray* cells = nullptr) : DieHarness(cells) {}
  NandCommand& make_cached(std::uint32_t plane, std::uint32_t block, std::uint32_t page) {
    NandCommand& command = make(program, plane, block, page);
    command.cache = true;
    return command;
  }
};

TEST_CASE("the array continues with the next program, whenever the status is fetched") {
  Caching h;
  NandCommand& first = h.make_cached(0, 1, 0);
  CHECK(h.issue(first, 0) == t_pcbsy + t_prog);
  CHECK(first.response_time == t_pcbsy);
  NandCommand& second = h.make_cached(0, 1, 1);
  CHECK_FALSE(h.die.accepts(second, t_pcbsy - 1));
  CHECK(h.issue(second, 100 * us) == never);
  NandCommand& third = h.make(program, 0, 1, 2);
  h.refuses(third, 200 * us);  // the register is occupied
  h.finishes_at(t_pcbsy + t_prog);
  CHECK(h.release(first, 750 * us) == 2 * (t_pcbsy + t_prog));
  h.issue(third, 800 * us);
  h.finishes_at(2 * (t_pcbsy + t_prog));
  CHECK(h.release(second, 3 * t_prog) == 2 * t_pcbsy + 3 * t_prog);  // a plain program needs no tPCBSY
  h.finishes_at(2 * t_pcbsy + 3 * t_prog);
  CHECK(h.release(third, 3 * t_prog + 100 * us) == never);
  CHECK(h.ready_at(3 * t_prog + 100 * us));
}

TEST_CASE("only a cache program frees the register, and only for another program") {
  Caching h;
  h.issue(h.make(program, 0, 1, 0), 0);
  h.refuses(h.make_cached(0, 1, 1), 10 * us);
  Caching other;
  other.issue(other.make_cached(0, 1, 0), 0);
  other.refuses(other.make(copyback_program, 0, 1, 1), 10 * us);
  other.refuses(other.make(read, 0, 2, 0), 10 * us);
  other.refuses(other.make_cached(0, 1, 2), 10 * us, "page 1 is next");
}

TEST_CASE("a program whose planes are still being loaded when the array ends starts with its last plane") {
  Caching h;
  NandCommand& first = h.make_cached(0, 1, 0);
  const Tick end = h.issue(first, 0);
  NandCommand& one = h.make_queued(program, 0, 1, 1);
  one.cache = true;
  CHECK(h.issue(one, end - us) == never);
  h.die.finish(end);
  CHECK(h.release(first, end + us) == never);
  NandCommand& two = h.make_cached(1, 1, 0);
  CHECK(h.issue(two, end + 10 * us) == end + 10 * us + t_pcbsy + t_prog);
  h.finishes_at(end + 10 * us + t_pcbsy + t_prog);
  h.release(one, end + second);
  h.release(two, end + second);
}

TEST_CASE("a full cache register prevents a suspend, and an empty one allows it") {
  Caching h;
  NandCommand& first = h.make_cached(0, 1, 0);
  NandCommand& second_page = h.make_cached(0, 1, 1);
  const Tick end = h.issue(first, 0);
  h.issue(second_page, 100 * us);
  h.refuses(h.make(suspend), 200 * us);
  h.die.finish(end);
  const Tick next_end = h.release(first, end);
  NandCommand& stop = h.make(suspend);
  h.issue(stop, end + 103 * us);
  CHECK(stop.status == NandStatus::pass);
  h.complete(h.make(read, 0, 1, 0), end + 200 * us);
  CHECK(h.issue(h.make(resume), end + 400 * us) == end + 400 * us + 25 * us + (next_end - end - 103 * us));
  // The register has been free since then, so the program may start.
  CHECK(h.issue(h.make(program, 0, 1, 2), end + 401 * us) == never);
}

TEST_CASE("a reset drops the cache register") {
  Caching h;
  NandCommand& first = h.make_cached(0, 1, 0);
  NandCommand& next = h.make_cached(0, 1, 1);
  h.issue(first, 0);
  h.issue(next, 100 * us);
  h.issue(h.make(reset), 200 * us);
  CHECK(h.die.take_aborted() == &first);
  CHECK(h.die.take_aborted() == &next);
  CHECK(h.die.take_aborted() == nullptr);
  h.complete(h.make(program, 0, 1, 2), second);
}

TEST_CASE("each cached program has its own status, and wordlines complete in order") {
  FakeCells cells;
  Caching h(&cells);
  NandCommand& good = h.make_cached(0, 1, 0);
  NandCommand& bad = h.make_cached(0, 2, 0);
  cells.bad_blocks = {BlockInDie(2)};
  NandCommand& last = h.make(program, 0, 1, 1);
  const Tick end = h.issue(good, 0);
  h.issue(bad, 10 * us);
  h.die.finish(end);
  const Tick bad_end = h.release(good, end);
  h.issue(last, end + 10 * us);
  h.die.finish(bad_end);
  const Tick last_end = h.release(bad, bad_end);
  h.die.finish(last_end);
  h.release(last, last_end);
  CHECK(good.status == NandStatus::pass);
  CHECK(bad.status == NandStatus::fail);
  CHECK(last.status == NandStatus::pass);
  REQUIRE(cells.programs.size() == 2);
  CHECK(cells.programs[0].page_type == 0);
  CHECK(cells.programs[1].page_type == 1);
}

}  // namespace
}  // namespace nandscape::nand
