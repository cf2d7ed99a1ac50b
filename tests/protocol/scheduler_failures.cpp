// SPDX-License-Identifier: Apache-2.0
// Tests that failed programs and erases complete in the same way as successful ones, and report their status.
#include "catch.h"
#include "scheduler_bench.h"

namespace nandscape {
namespace {

using namespace small_times;

TEST_CASE("a failed program or erase takes the time of a good one, and reports its failure") {
  nand::FakeCells cells;
  cells.succeed = false;
  SchedulerBench h(small_device(), &cells);
  const OpKind kind = GENERATE(OpKind::host_write, OpKind::background_write, OpKind::erase);
  SchedulerBench::Asked& asked = h.at(0, kind);
  SchedulerBench::Asked& read = h.at(second, OpKind::host_read, 0, 3);
  h.run();
  CHECK(asked.status() == NandStatus::fail);
  const Tick expected = kind == OpKind::erase ? erase_command + t_bers : program_command + t_prog;
  CHECK(asked.latency() == expected + status);
  CHECK(read.status() == NandStatus::pass);
  CHECK(read.latency() == read_command + t_read[0] + page_out);
}

TEST_CASE("each plane of an operation has its own status") {
  nand::FakeCells cells;
  SchedulerBench h(small_device(), &cells);
  cells.bad_blocks = {BlockInDie(h.geometry.blocks_per_plane)};  // block 0 of plane 1
  SchedulerBench::Asked& busy = h.at(0, OpKind::host_read, 0, 5);
  SchedulerBench::Asked& good = h.at(1, OpKind::host_write, 0);
  SchedulerBench::Asked& bad = h.at(1, OpKind::host_write, 1);
  h.run();
  CHECK(busy.status() == NandStatus::pass);
  CHECK(good.status() == NandStatus::pass);
  CHECK(bad.status() == NandStatus::fail);
  CHECK(bad.done == good.done + status);
}

}  // namespace
}  // namespace nandscape
