// SPDX-License-Identifier: Apache-2.0
// Compares the duration of an erase with a closed form. Garbage collection starts the erase; its duration is seen in
// the completion times of the accesses around it.
#include "catch.h"
#include "small_device.h"

namespace nandscape {
namespace {

using namespace small_times;

// Writes one page again and again to a device with one page per block, so that the collected blocks never hold a valid
// page. The last of these writes leaves the plane with 3 free blocks. This starts an erase, which the die executes
// after the write.
struct Overwriting : FlashBench {
  static FlashDeviceParameters parameters() {
    FlashDeviceParameters p = small_device();
    p.nand.geometry.planes_per_die = 1;
    p.nand.geometry.pages_per_block = 1;
    p.controller.precondition.occupancy = 0;
    return p;
  }

  Overwriting() : FlashBench(parameters()) {
    for (Tick k = 0; k < 17; ++k) last = &at(k * millisecond, AccessKind::write, Lpn(0));
  }

  const Request* last;
  static constexpr Tick write_time = encode + program_command + t_prog + status;
  static constexpr Tick erase_begins = 16 * millisecond + write_time;
};

TEST_CASE("an erase takes its command, tBERS and its status") {
  Overwriting bench;
  // This write arrives while the die is erasing, and must wait.
  const auto& next = bench.at(Overwriting::erase_begins + 500 * us, AccessKind::write, Lpn(0));
  bench.run();
  CHECK(bench.last->latency() == Overwriting::write_time);
  const Tick erased = Overwriting::erase_begins + erase_command + t_bers + status;
  CHECK(next.completed == erased + program_command + t_prog + status);
  CHECK(bench.device.back_end().nand_counters().block_erases == 2);  // the last write starts another erase
  CHECK(bench.idle());
}

TEST_CASE("a read suspends an erase") {
  Overwriting bench;
  const Tick arrival = Overwriting::erase_begins + 500 * us;
  const auto& read = bench.at(arrival, AccessKind::read, Lpn(0));
  const auto& write = bench.at(arrival, AccessKind::write, Lpn(0));
  bench.run();
  const Tick suspended = arrival + control_command;
  const Tick left = Overwriting::erase_begins + erase_command + t_bers - suspended;
  const Tick read_over = suspended + t_suspend + read_command + t_read[0] + page_out;
  CHECK(read.completed == read_over + decode);
  const Tick erased = read_over + control_command + t_resume + left + status;
  CHECK(write.completed == erased + program_command + t_prog + status);
  CHECK(bench.device.back_end().nand_counters().suspends == 1);
  CHECK(bench.idle());
}

TEST_CASE("consecutive reads are served in one suspension") {
  Overwriting bench;
  const Tick arrival = Overwriting::erase_begins + 500 * us;
  const auto& first = bench.at(arrival, AccessKind::read, Lpn(0));
  const auto& second_read = bench.at(arrival + 40 * us, AccessKind::read, Lpn(0));
  bench.run();
  const Tick first_over = arrival + control_command + t_suspend + read_command + t_read[0] + page_out;
  CHECK(first.completed == first_over + decode);
  CHECK(second_read.completed == first_over + read_command + t_read[0] + page_out + decode);
  CHECK(bench.device.back_end().nand_counters().suspends == 1);
  CHECK(bench.idle());
}

}  // namespace
}  // namespace nandscape
