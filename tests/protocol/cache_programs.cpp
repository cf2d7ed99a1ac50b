// SPDX-License-Identifier: Apache-2.0
// Compares the times of cache programs with closed forms. The data of a cache program are sent to the die while its
// array is still working on the previous program.
#include <algorithm>

#include "catch.h"
#include "core/error.h"
#include "scheduler_bench.h"

namespace nandscape {
namespace {

using namespace small_times;

constexpr Tick t_pcbsy = 4 * us;

FlashDeviceParameters caching(bool multi_plane = false) {
  FlashDeviceParameters p = small_device();
  p.nand.timing.t_pcbsy_us = 4;
  p.controller.scheduler.cache_program = true;
  p.controller.scheduler.multi_plane = multi_plane;
  return p;
}

std::vector<SchedulerBench::Asked*> write_all(SchedulerBench& h, int writes, std::uint32_t plane = 0) {
  std::vector<SchedulerBench::Asked*> all;
  for (int k = 0; k < writes; ++k) all.push_back(&h.at(1, OpKind::host_write, plane));
  return all;
}

TEST_CASE("a stream of programs takes one data-in plus the array time of each program") {
  SchedulerBench h(caching());
  SchedulerBench::Asked& first = h.at(0, OpKind::host_read);  // ends after all writes have arrived
  const auto writes = write_all(h, 7);
  h.run();
  // Every program except the last is a cache program: the next page is loaded into the cache register during the
  // program.
  Tick end = first.done + program_command;
  for (std::size_t k = 0; k < writes.size(); ++k) {
    end += (k + 1 < writes.size() ? t_pcbsy : 0) + t_prog;
    CHECK(writes[k]->command.cache == (k + 1 < writes.size()));
    CHECK(writes[k]->done == end + status);
    CHECK(writes[k]->status() == NandStatus::pass);
  }
  CHECK(h.scheduler.counters().cache_programs == 6);
}

TEST_CASE("without cache programs each data-in precedes its array time") {
  FlashDeviceParameters p = caching();
  p.controller.scheduler.cache_program = false;
  SchedulerBench h(p);
  SchedulerBench::Asked& first = h.at(0, OpKind::host_read);
  const auto writes = write_all(h, 5);
  h.run();
  CHECK(writes.back()->done == first.done + 5 * (program_command + t_prog + status));
  CHECK(h.scheduler.counters().cache_programs == 0);
}

TEST_CASE("data-in that takes longer than the array sets the pace") {
  FlashDeviceParameters p = caching();
  p.nand.timing.t_prog_us = 6;
  SchedulerBench h(p);
  SchedulerBench::Asked& first = h.at(0, OpKind::host_read);
  const auto writes = write_all(h, 4);
  h.run();
  // Each program ends before the next page has arrived. The status of the program must then wait for the bus, and is
  // transferred after the next page but before the page after that.
  const Tick each = t_pcbsy + program_command;
  for (std::size_t k = 1; k + 1 < writes.size(); ++k) {
    INFO(k);
    CHECK(writes[k]->done > writes[k - 1]->done);
    CHECK(writes[k]->done - writes[k - 1]->done <= each + 2 * status);
  }
  CHECK(writes.back()->done < first.done + 4 * (program_command + t_pcbsy + 6 * us + status));
}

TEST_CASE("cache programs of several planes wait together") {
  SchedulerBench h(caching(true));
  SchedulerBench::Asked& first = h.at(0, OpKind::host_read);
  const auto even = write_all(h, 4, 0);
  const auto odd = write_all(h, 4, 1);
  h.run();
  Tick end = first.done + 2 * program_command + busy;
  for (std::size_t k = 0; k < even.size(); ++k) {
    end += (k + 1 < even.size() ? t_pcbsy : 0) + t_prog;
    // The next program begins when this one ends, no matter which plane's status is read first.
    CHECK(std::min(even[k]->done, odd[k]->done) == end + status);
    CHECK(std::max(even[k]->done, odd[k]->done) == end + 2 * status);
  }
  const controller::SchedulerCounters counters = h.scheduler.counters();
  CHECK(counters.cache_programs == 6);
  CHECK(counters.multi_plane_operations == 4);
}

TEST_CASE("a failing program of a stream reports its own status") {
  nand::FakeCells cells;
  SchedulerBench h(caching(), &cells);
  h.at(0, OpKind::host_read);
  const auto writes = write_all(h, 15);  // 12 pages go to block 0, the rest to block 1
  cells.bad_blocks = {BlockInDie(1)};
  h.run();
  for (std::size_t k = 0; k < writes.size(); ++k) {
    CHECK(writes[k]->status() == (k < 12 ? NandStatus::pass : NandStatus::fail));
  }
  // The pages of each wordline must be programmed in order.
  REQUIRE(cells.programs.size() == 12);
  for (std::uint32_t page = 0; page < 12; ++page) {
    CHECK(cells.programs[page].where.wordline == page / 3);
    CHECK(cells.programs[page].page_type == page % 3);
  }
}

TEST_CASE("a read waits until the page in the cache register is being programmed") {
  SchedulerBench h(caching());
  h.at(0, OpKind::host_read);
  const auto writes = write_all(h, 6);
  SchedulerBench::Asked& read = h.at(300 * us, OpKind::host_read, 1, 3);
  h.run();
  // The first program continues to its end, because the second page already waits in the cache register. The second
  // program can be suspended.
  CHECK(read.done < writes[0]->done + t_suspend + read_command + t_read[0] + page_out + us);
  CHECK(read.done > writes[0]->done);
  CHECK(h.scheduler.counters().suspends == 1);
  for (const auto* write : writes) CHECK(write->status() == NandStatus::pass);
}

TEST_CASE("a program reaches the cache register when the array has just ended") {
  // The later writes arrive shortly before or after the end of the first program. In every case both must be
  // programmed, and the last one must end no later than without the cache register.
  for (Tick at = 690 * us; at < 730 * us; at += 777 * ns) {
    SchedulerBench h(caching());
    h.at(0, OpKind::host_write);
    h.at(0, OpKind::host_write);
    SchedulerBench::Asked& third = h.at(at, OpKind::host_write);
    SchedulerBench::Asked& fourth = h.at(at, OpKind::host_write);
    h.run();
    REQUIRE(third.status() == NandStatus::pass);
    REQUIRE(fourth.done > third.done);
    REQUIRE(fourth.done <= at + 4 * (program_command + t_prog + t_pcbsy + status));
  }
}

}  // namespace
}  // namespace nandscape
