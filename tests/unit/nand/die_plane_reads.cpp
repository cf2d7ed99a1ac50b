// SPDX-License-Identifier: Apache-2.0
// Tests independent reads of the planes of a die: their times, what the die refuses meanwhile, and their array time.
#include "unit/nand/die_harness.h"

namespace nandscape::nand {
namespace {

using enum NandOperation;
constexpr Tick us = microsecond;

// A die whose planes read on their own. DieHarness passes its geometry to the die by reference.
struct PlaneHarness : DieHarness {
  PlaneHarness() { geometry.independent_plane_reads = true; }

  NandCommand& make_read(std::uint32_t plane, std::uint32_t block, std::uint32_t page) {
    NandCommand& command = make(read, plane, block, page);
    command.independent = true;
    return command;
  }
  // Issues an independent read. Returns the time at which its array ends.
  Tick begin(NandCommand& command, Tick now) {
    CHECK(issue(command, now) == never);
    return die.plane_read_end(command.plane);
  }
  void release_plane(const NandCommand& command) {
    REQUIRE(die.plane_response() == &command);
    die.release_plane_read();
  }
};

TEST_CASE("each plane reads any block and page in its own time") {
  PlaneHarness h;
  NandCommand& slow = h.make_read(0, 1, 1);
  NandCommand& quick = h.make_read(1, 3, 3);
  CHECK(h.begin(slow, 0) == 90 * us);
  CHECK(h.begin(quick, 10 * us) == 70 * us);
  h.die.finish_plane_reads(70 * us - 1);
  CHECK(h.die.plane_response() == nullptr);
  h.die.finish_plane_reads(70 * us);
  h.die.finish_plane_reads(90 * us);
  CHECK_FALSE(h.die.idle());
  h.release_plane(quick);  // in the order in which the arrays have ended
  h.release_plane(slow);
  CHECK(h.die.idle());
  CHECK(h.die.counters().page_reads == 2);
}

TEST_CASE("a plane takes its next read when its response has ended, while another plane still reads") {
  PlaneHarness h;
  NandCommand& first = h.make_read(0, 1, 0);
  NandCommand& other = h.make_read(1, 1, 1);
  NandCommand& next = h.make_read(0, 2, 4);
  h.begin(first, 0);
  h.begin(other, 50 * us);
  h.refuses(next, 10 * us);
  h.die.finish_plane_reads(60 * us);
  h.refuses(next, 60 * us);  // its data wait in the page register
  h.release_plane(first);
  CHECK(h.begin(next, 61 * us) == 151 * us);
}

TEST_CASE("while planes read on their own, the die takes no other operation") {
  PlaneHarness h;
  NandCommand& plane_0 = h.make_read(0, 1, 0);
  h.begin(plane_0, 0);
  for (const NandOperation operation : {read, program, erase, copyback_read, get_feature, resume}) {
    h.refuses(h.make(operation, 1, 2), us);
  }
  NandCommand& stop = h.make(suspend);
  h.issue(stop, us);
  CHECK(stop.status == NandStatus::fail);
  h.die.finish_plane_reads(60 * us);
  h.refuses(h.make(program, 1, 2), 60 * us);
  h.release_plane(plane_0);
  h.complete(h.make(program, 1, 2), 60 * us);
}

TEST_CASE("planes read while a program is suspended, but not its page, and it resumes when they have ended") {
  PlaneHarness h;
  NandCommand& victim = h.make(program, 0, 1, 0);
  h.issue(victim, 0);
  h.issue(h.make(suspend), 100 * us);
  h.refuses(h.make_read(0, 1, 0), 200 * us, "it reads cells of a suspended operation");
  NandCommand& beside = h.make_read(0, 2, 0);
  NandCommand& other = h.make_read(1, 2, 0);
  h.begin(beside, 200 * us);
  h.begin(other, 210 * us);
  h.refuses(h.make(resume), 220 * us);
  h.die.finish_plane_reads(270 * us);
  h.release_plane(beside);
  h.refuses(h.make(resume), 270 * us);
  h.release_plane(other);
  CHECK(h.issue(h.make(resume), 270 * us) == 270 * us + 25 * us + 600 * us);
}

TEST_CASE("each plane counts its array time, and the die the time during which any plane works") {
  PlaneHarness h;
  NandCommand& slow = h.make_read(0, 1, 1);
  NandCommand& quick = h.make_read(1, 3, 3);
  NandCommand& late = h.make_read(1, 3, 3);
  h.begin(slow, 0);
  h.begin(quick, 10 * us);
  h.die.finish_plane_reads(90 * us);
  h.release_plane(slow);
  h.release_plane(quick);
  h.begin(late, 200 * us);
  CHECK(h.die.counters().array.reading == 90 * us + 60 * us + 60 * us);
  CHECK(h.die.counters().array.busy == 90 * us + 60 * us);
  h.die.power_cut(220 * us);
  CHECK(h.die.counters().array.reading == 90 * us + 60 * us + 20 * us);
  CHECK(h.die.counters().array.busy == 90 * us + 20 * us);
  CHECK(h.die.idle());
}

TEST_CASE("a reset aborts the independent reads") {
  PlaneHarness h;
  NandCommand& first = h.make_read(0, 1, 1);
  NandCommand& other = h.make_read(1, 3, 3);
  h.begin(first, 0);
  h.begin(other, 10 * us);
  h.issue(h.make(reset), 40 * us);
  CHECK(h.die.take_aborted() == &first);
  CHECK(h.die.take_aborted() == &other);
  CHECK(first.status == NandStatus::aborted);
  CHECK(h.die.counters().array.reading == 40 * us + 30 * us);
  CHECK(h.die.counters().array.busy == 40 * us);
  h.die.finish_plane_reads(90 * us);
  CHECK(h.die.plane_response() == nullptr);
  CHECK(h.ready_at(45 * us));
}

TEST_CASE("only a die whose planes read on their own takes independent reads, each of one page") {
  DieHarness plain;
  NandCommand& read_0 = plain.make(read);
  read_0.independent = true;
  plain.refuses(read_0, 0, "the planes of the die cannot read on their own (nand.independent_plane_reads)");
  PlaneHarness h;
  NandCommand& joined = h.make_read(0, 1, 0);
  joined.more_planes = true;
  h.refuses(joined, 0, "an independent read is of one page");
  // Reads of several planes in one operation, and cache reads, work as in other dies.
  NandCommand& first = h.make_queued(read, 0, 1, 1);
  NandCommand& second_plane = h.make(read, 1, 1, 1);
  h.issue(first, 0);
  const Tick end = h.issue(second_plane, us);
  CHECK(end == 91 * us);
  h.refuses(h.make_read(1, 2, 0), 2 * us);
  h.finishes_at(end);
  h.release(first, end);
  h.release(second_plane, end);
}

}  // namespace
}  // namespace nandscape::nand
