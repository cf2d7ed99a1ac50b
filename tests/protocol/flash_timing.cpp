// SPDX-License-Identifier: Apache-2.0
// Compares latencies of the idle device with closed forms, to the picosecond.
#include <algorithm>

#include "catch.h"
#include "small_device.h"

namespace nandscape {
namespace {

using namespace small_times;
constexpr auto read = AccessKind::read;
constexpr auto write = AccessKind::write;

FlashDeviceParameters empty_device() {
  FlashDeviceParameters p = small_device();
  p.controller.precondition.occupancy = 0;
  return p;
}

TEST_CASE("latency of one read") {
  const std::uint64_t type = GENERATE(0, 1, 2);
  Filled bench;
  const auto& r = bench.at(us, read, bench.find(0, type));
  bench.run();
  CHECK(r.latency() == read_command + t_read[type] + page_out + decode);
  CHECK(bench.idle());
}

TEST_CASE("a read of a few sectors moves whole codewords") {
  Filled bench;
  PageAccess access;
  access.lpn = Lpn(0);
  access.first_sector = 3;  // in codeword 1
  access.sector_count = 2;  // up to codeword 2
  const auto& r = bench.at(0, access);
  bench.run();
  CHECK(r.latency() == read_command + bench.read_time(Lpn(0)) + 21 * ns + burst + 2 * codeword_data + decode);
}

TEST_CASE("a read of a page without data takes no time") {
  FlashBench bench(empty_device());
  const auto& r = bench.at(5, read, Lpn(3));
  bench.run();
  CHECK(r.latency() == 0);
  CHECK(bench.device.ftl().counters().unmapped_reads == 1);
}

TEST_CASE("latency of one write of a page") {
  FlashBench bench(empty_device());
  const auto& w = bench.at(us, write, Lpn(0));
  bench.run();
  CHECK(w.latency() == encode + program_command + t_prog + status);
  CHECK(bench.idle());
}

TEST_CASE("latency of a write of a part of a page, merged with the page's data") {
  Filled bench;
  PageAccess access;
  access.kind = write;
  access.lpn = Lpn(4);
  access.first_sector = 2;
  access.sector_count = 1;
  const auto& w = bench.at(0, access);
  bench.run();
  CHECK(w.latency() ==
        read_command + bench.read_time(Lpn(4)) + page_out + decode + encode + program_command + t_prog + status);
  CHECK(bench.device.ftl().counters().merge_reads == 1);
}

TEST_CASE("two reads of one die follow each other, and the second one is transferred while the first one is decoded") {
  Filled bench;
  const Lpn first = bench.find(0), second = bench.find(0, 3, first);
  const auto& r1 = bench.at(0, read, first);
  const auto& r2 = bench.at(0, read, second);
  bench.run();
  const Tick first_out = read_command + bench.read_time(first) + page_out;
  CHECK(r1.latency() == first_out + decode);
  CHECK(r2.latency() == first_out + read_command + bench.read_time(second) + page_out + decode);
}

TEST_CASE("reads of the same page number on two planes are one multi-plane read") {
  const bool multi_plane = GENERATE(true, false);
  FlashDeviceParameters p = small_device();
  p.controller.precondition.order = controller::FillOrder::sequential;
  p.controller.scheduler.multi_plane = multi_plane;
  Filled bench(p);
  // The first read keeps the die busy until both other reads have arrived, so that the scheduler can combine these.
  std::uint64_t other = 1;
  while (bench.page_number(Lpn(other)) != bench.page_number(Lpn(0)) || other % 2 == 0) ++other;
  const Lpn keeper = bench.find(0, 3, Lpn(0));
  bench.at(0, read, keeper);
  const auto& r1 = bench.at(us, read, Lpn(0));
  const auto& r2 = bench.at(us, read, Lpn(other));
  bench.run();
  const Tick start = read_command + bench.read_time(keeper) + page_out;
  const Tick array = bench.read_time(Lpn(0));
  if (multi_plane) {
    CHECK(r1.completed == start + read_command + busy + read_command + array + page_out + decode);
    CHECK(r2.completed == start + read_command + busy + read_command + array + 2 * page_out + decode);
  } else {
    CHECK(r1.completed == start + read_command + array + page_out + decode);
    CHECK(r2.completed == start + 2 * (read_command + array + page_out) + decode);
  }
}

TEST_CASE("writes to two planes are one multi-plane program") {
  const bool multi_plane = GENERATE(true, false);
  FlashDeviceParameters p = small_device();
  p.controller.precondition.occupancy = 0.1;
  p.controller.scheduler.multi_plane = multi_plane;
  Filled bench(p);
  bench.at(0, read, Lpn(0));
  const auto& w1 = bench.at(us, write, Lpn(2));  // plane 0
  const auto& w2 = bench.at(us, write, Lpn(3));  // plane 1
  bench.run();
  const Tick start = read_command + bench.read_time(Lpn(0)) + page_out;
  if (multi_plane) {
    CHECK(w1.completed == start + program_command + busy + program_command + t_prog + status);
    CHECK(w2.completed == start + program_command + busy + program_command + t_prog + 2 * status);
  } else {
    CHECK(w1.completed == start + program_command + t_prog + status);
    CHECK(w2.completed == start + 2 * (program_command + t_prog + status));
  }
  CHECK(bench.device.back_end().nand_counters().page_programs == 2);
}

TEST_CASE("a read suspends a program") {
  FlashDeviceParameters p = small_device();
  p.controller.precondition.occupancy = 0.1;
  Filled bench(p);
  const Tick arrival = 300 * us;
  const auto& w = bench.at(0, write, Lpn(2));
  const auto& r = bench.at(arrival, read, Lpn(0));
  bench.run();
  const Tick array_began = encode + program_command;
  const Tick suspended = arrival + control_command;
  const Tick left = array_began + t_prog - suspended;
  const Tick read_over = suspended + t_suspend + read_command + bench.read_time(Lpn(0)) + page_out;
  CHECK(r.completed == read_over + decode);
  CHECK(w.completed == read_over + control_command + t_resume + left + status);
  CHECK(bench.device.back_end().nand_counters().suspends == 1);
  CHECK(bench.idle());
}

TEST_CASE("a read waits for a program that may not be suspended") {
  FlashDeviceParameters p = small_device();
  p.controller.precondition.occupancy = 0.1;
  p.controller.scheduler.suspend = GENERATE(controller::Suspend::none, controller::Suspend::erase);
  Filled bench(p);
  const auto& w = bench.at(0, write, Lpn(2));
  const auto& r = bench.at(300 * us, read, Lpn(0));
  bench.run();
  CHECK(w.completed == encode + program_command + t_prog + status);
  CHECK(r.completed == w.completed + read_command + bench.read_time(Lpn(0)) + page_out + decode);
  CHECK(bench.device.back_end().nand_counters().suspends == 0);
}

TEST_CASE("a suspend that arrives when the program ends has no effect") {
  FlashDeviceParameters p = small_device();
  p.controller.precondition.occupancy = 0.1;
  Filled bench(p);
  const Tick array_ends = encode + program_command + t_prog;
  // The suspend command reaches the die this long after the end of the array time.
  const Tick late = GENERATE(Tick{0}, Tick{1}, 100 * ns);
  const auto& w = bench.at(0, write, Lpn(2));
  const auto& r = bench.at(array_ends + late - control_command, read, Lpn(0));
  bench.run();
  CHECK(w.completed == array_ends + late + status);
  CHECK(r.completed == w.completed + read_command + bench.read_time(Lpn(0)) + page_out + decode);
  CHECK(bench.device.back_end().nand_counters().suspends == 0);
  CHECK(bench.idle());
}

TEST_CASE("a program is suspended again while it resumes, and the work left stays the same") {
  FlashDeviceParameters p = small_device();
  p.controller.precondition.occupancy = 0.1;
  Filled bench(p);
  const auto& w = bench.at(0, write, Lpn(2));
  const Tick first = 300 * us;
  bench.at(first, read, Lpn(0));
  const Tick left = encode + program_command + t_prog - (first + control_command);
  const Tick resumed =
      first + control_command + t_suspend + read_command + bench.read_time(Lpn(0)) + page_out + control_command;
  // The read arrives 10 us after tRESUME has begun.
  bench.at(resumed + 10 * us - control_command, read, Lpn(0));
  bench.run();
  const Tick resumed_again =
      resumed + 10 * us + t_suspend + read_command + bench.read_time(Lpn(0)) + page_out + control_command;
  CHECK(w.completed == resumed_again + t_resume + left + status);
  CHECK(bench.device.back_end().nand_counters().suspends == 2);
}

TEST_CASE("a read that arrives while the resume command is on the bus suspends the program again at once") {
  FlashDeviceParameters p = small_device();
  p.controller.precondition.occupancy = 0.1;
  Filled bench(p);
  const auto& w = bench.at(0, write, Lpn(2));
  const Tick first = 300 * us;
  bench.at(first, read, Lpn(0));
  const Tick left = encode + program_command + t_prog - (first + control_command);
  const Tick one_read = control_command + 19 * us + read_command + bench.read_time(Lpn(0)) + page_out + control_command;
  const Tick resumed = first + one_read;
  const auto& r = bench.at(resumed - control_command / 2, read, Lpn(0));
  bench.run();
  CHECK(r.completed == resumed + one_read - control_command + decode);
  CHECK(w.completed == resumed + one_read + 23 * us + left + status);
  CHECK(bench.device.back_end().nand_counters().suspends == 2);
  CHECK(bench.idle());
}

TEST_CASE("a cache read is sensed while the page before it is transferred") {
  FlashDeviceParameters p = small_device();
  p.controller.scheduler.cache_read = true;
  p.controller.scheduler.multi_plane = false;
  Filled bench(p);
  const std::uint64_t type = GENERATE(0, 1, 2);
  const Lpn first = bench.find(0, 0), second = bench.find(0, type, first);
  const auto& r1 = bench.at(0, read, first);
  const auto& r2 = bench.at(us, read, second);
  bench.run();
  const Tick first_ready = read_command + t_read[0];
  const Tick first_out = first_ready + read_command + 3 * us + page_out;
  const Tick second_ready = first_ready + read_command + 3 * us + t_read[type];
  CHECK(r1.completed == first_out + decode);
  CHECK(r2.completed == std::max(first_out, second_ready) + page_out + decode);
  CHECK(bench.idle());
}

}  // namespace
}  // namespace nandscape
