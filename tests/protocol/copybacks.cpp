// SPDX-License-Identifier: Apache-2.0
// Tests copybacks, which move a page within its plane. A copyback consists of a read and a program, and nothing else
// may run on the die between them.
#include "catch.h"
#include "scheduler_bench.h"

namespace nandscape {
namespace {

using namespace small_times;
using enum NandOperation;

constexpr Tick copy_command = cycle + address + cycle + tail;  // command cycles of each of the two halves

TEST_CASE("a copyback moves no data over the bus") {
  SchedulerBench h;
  SchedulerBench::Asked& copy = h.at(0, OpKind::copyback, 1, 4, 2);
  h.run();
  CHECK(copy.latency() == copy_command + t_read[2] + status + copy_command + t_prog + status);
  CHECK(copy.status() == NandStatus::pass);
  REQUIRE(h.sent.size() == 2);
  CHECK(h.sent[0].command.operation == copyback_read);
  CHECK(h.sent[0].command.block == BlockInPlane(4));
  CHECK(h.sent[1].command.operation == copyback_program);
  CHECK(h.sent[1].command.block == BlockInPlane(h.geometry.blocks_per_plane / 2));
  CHECK(h.sent[1].command.page == 0);
  CHECK(h.scheduler.counters().copybacks == 1);
}

TEST_CASE("no command comes between the halves of a copyback, and reads suspend the second half") {
  SchedulerBench h;
  h.at(0, OpKind::copyback, 0, 4, 0);
  SchedulerBench::Asked& early = h.at(30 * us, OpKind::host_read, 0, 5);
  h.at(30 * us, OpKind::host_write, 0);
  h.at(30 * us, OpKind::background_read, 0, 6);
  h.run();
  REQUIRE(h.sent.size() >= 4);
  CHECK(h.sent[0].command.operation == copyback_read);
  CHECK(h.sent[1].command.operation == copyback_program);
  CHECK(h.sent[2].command.operation == suspend);
  CHECK(h.sent[3].command.operation == read);
  const Tick half = copy_command + t_read[0] + status;
  CHECK(early.done == half + copy_command + control_command + t_suspend + read_command + t_read[0] + page_out);
}

TEST_CASE("the status of a copyback is that of its program") {
  nand::FakeCells cells;
  cells.bad_blocks = {BlockInDie(10)};  // the first block for writes that do not come from the host
  SchedulerBench h(small_device(), &cells);
  SchedulerBench::Asked& copy = h.at(0, OpKind::copyback, 0, 4, 0);
  h.run();
  CHECK(copy.status() == NandStatus::fail);
}

TEST_CASE("a copyback without room is read again when there is room") {
  SchedulerBench h;
  h.full_planes = {0};
  SchedulerBench::Asked& copy = h.at(0, OpKind::copyback, 0, 4, 0);
  SchedulerBench::Asked& read = h.at(10 * us, OpKind::host_read, 0, 5);
  struct Later {
    SchedulerBench& h;
    void free_plane(std::uint64_t) {
      h.full_planes.clear();
      h.scheduler.places_changed(PlaneId(0), h.calendar.now());
    }
  } later{h};
  h.calendar.schedule<&Later::free_plane>(millisecond, later);
  h.run();
  CHECK(read.done < millisecond);
  CHECK(h.of(copyback_read).size() == 2);
  CHECK(copy.done == millisecond + copy_command + t_read[0] + status + copy_command + t_prog + status);
}

TEST_CASE("copybacks, writes and reads of all planes complete") {
  FlashDeviceParameters p = small_device();
  p.controller.scheduler.cache_program = GENERATE(false, true);
  p.controller.scheduler.policy.name = GENERATE("fifo", "out_of_order", "read_first", "priority", "flin");
  SchedulerBench h(p);
  int done = 0;
  h.on_done = [&](SchedulerBench::Asked& asked) {
    CHECK(asked.status() == NandStatus::pass);
    ++done;
  };
  for (std::uint32_t k = 0; k < 60; ++k) {
    const Tick at = k * 100 * us;
    h.at(at, OpKind::copyback, k % 2, 4, k % 12);
    h.at(at, OpKind::host_write, k / 2 % 2);
    h.at(at, OpKind::background_write, k / 3 % 2);
    h.at(at + k * us, OpKind::host_read, k % 2, 5, k % 12);
    h.at(at, OpKind::background_read, k % 2, 6, k % 12);
  }
  h.run();
  CHECK(done == 300);
}

}  // namespace
}  // namespace nandscape
