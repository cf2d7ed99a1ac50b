// SPDX-License-Identifier: Apache-2.0
#include "controller/firmware/firmware_stage.h"

#include <array>
#include <deque>

#include "catch.h"
#include "fakes/fake_storage.h"

namespace nandscape::controller {
namespace {

struct FirmwareBench {
  explicit FirmwareBench(const FirmwareParameters& parameters) : stage(parameters, backend, calendar) {
    backend.decide = [](const PageAccess&) { return FakeStorage::Answer{.delay = 0}; };
    stage.set_client(front_end);
  }
  void run() { calendar.run_until(never - 1); }

  Calendar calendar;
  FakeStorage backend{calendar, 4096, 100};
  FirmwareStage stage;
  FakeHost front_end;
};

TEST_CASE("firmware delays an access by its cycles over the clock") {
  FirmwareBench bench({.cores = 1, .clock_mhz = 500, .read_cycles = 1000, .trim_cycles = 50, .completion_cycles = 100});
  PageAccess read = make_access(AccessKind::read, 1);
  bench.stage.submit(read, 0);
  bench.run();
  REQUIRE(bench.backend.records.size() == 1);
  CHECK(bench.backend.records[0].at == 2 * microsecond);
  CHECK(bench.front_end.time_of(read) == 2'200 * nanosecond);

  PageAccess trim = make_access(AccessKind::trim, 1);
  const Tick now = bench.calendar.now();
  bench.stage.submit(trim, now);
  bench.run();
  CHECK(bench.front_end.time_of(trim) == now + 100 * nanosecond + 200 * nanosecond);
  CHECK(bench.stage.counters().jobs == 4);
  CHECK(bench.stage.counters().busy == 2'500 * nanosecond);
}

TEST_CASE("an access without cycles passes at once") {
  FirmwareBench bench({.cores = 1, .clock_mhz = 500, .read_cycles = 1000});
  PageAccess read = make_access(AccessKind::read, 1);
  PageAccess write = make_access(AccessKind::write, 2);
  bench.stage.submit(read, 0);
  bench.stage.submit(write, 0);
  CHECK(bench.front_end.time_of(write) == Tick{0});
  CHECK(!bench.front_end.time_of(read));
  bench.run();
  CHECK(bench.front_end.time_of(read) == 2 * microsecond);
}

TEST_CASE("trims and writes of the same pages continue in arrival order") {
  const std::uint32_t trim_cycles = GENERATE(0U, 1000U);
  FirmwareBench bench({.cores = 4, .clock_mhz = 1000, .write_cycles = 5000, .trim_cycles = trim_cycles});
  PageAccess write = make_access(AccessKind::write, 7);
  PageAccess trim = make_access(AccessKind::trim, 5);
  trim.page_count = 4;
  bench.stage.submit(write, 0);
  bench.stage.submit(trim, 0);
  bench.run();
  REQUIRE(bench.backend.records.size() == 2);
  CHECK(bench.backend.records[0].kind == AccessKind::write);
  CHECK(bench.backend.records[1].at == 5 * microsecond);
}

TEST_CASE("a write follows an earlier trim of its page, and writes to other pages do not wait") {
  FirmwareBench bench({.cores = 4, .clock_mhz = 1000, .write_cycles = 1000, .trim_cycles = 8000});
  PageAccess trim = make_access(AccessKind::trim, 5);
  trim.page_count = 4;
  PageAccess inside = make_access(AccessKind::write, 8);
  PageAccess outside = make_access(AccessKind::write, 9);
  bench.stage.submit(trim, 0);
  bench.stage.submit(inside, 0);
  bench.stage.submit(outside, 0);
  bench.run();
  REQUIRE(bench.backend.records.size() == 3);
  CHECK(bench.backend.records[0].lpn == 9);
  CHECK(bench.backend.records[0].at == microsecond);
  CHECK(bench.backend.records[1].kind == AccessKind::trim);
  CHECK(bench.backend.records[2].at == 8 * microsecond);
}

TEST_CASE("the first free core serves the oldest access") {
  FirmwareBench bench({.cores = 2, .clock_mhz = 1000, .read_cycles = 1000, .write_cycles = 5000});
  std::deque<PageAccess> accesses;
  // Core 0 serves the write until 5 us, while core 1 serves reads. After that, both cores serve reads.
  accesses.push_back(make_access(AccessKind::write, 0));
  for (std::uint64_t k = 1; k <= 7; ++k) accesses.push_back(make_access(AccessKind::read, k));
  for (PageAccess& access : accesses) bench.stage.submit(access, 0);
  bench.run();
  const std::vector<Tick> us = {5, 1, 2, 3, 4, 5, 6, 6};
  for (std::size_t k = 0; k < us.size(); ++k) {
    CAPTURE(k);
    CHECK(bench.front_end.time_of(accesses[k]) == us[k] * microsecond);
  }
  CHECK(bench.stage.counters().waits == 6);
}

TEST_CASE("throughput saturates at the cores' clock over the cycles") {
  for (const std::uint32_t cores : {1U, 3U, 8U}) {
    CAPTURE(cores);
    FirmwareBench bench({.cores = cores, .clock_mhz = 800, .read_cycles = 2000});
    constexpr std::uint64_t reads = 2400;
    std::deque<PageAccess> accesses;
    for (std::uint64_t k = 0; k < reads; ++k) {
      bench.stage.submit(accesses.emplace_back(make_access(AccessKind::read, k % 100)), 0);
    }
    bench.run();
    CHECK(reads / s_from_ticks(bench.calendar.now()) == Approx(cores * 800e6 / 2000));
    CHECK(bench.backend.records.size() == reads);
  }
}

TEST_CASE("other work of the controller takes core time from accesses") {
  FirmwareBench bench({.cores = 1, .clock_mhz = 1000, .read_cycles = 1000, .write_cycles = 3000});
  CHECK(bench.stage.charge(FirmwareWork::write, 0) == 3 * microsecond);
  PageAccess read = make_access(AccessKind::read, 1);
  bench.stage.submit(read, 0);
  bench.run();
  CHECK(bench.front_end.time_of(read) == 4 * microsecond);
}

// Submits the `units` accesses of a command at `now`, as a front end does. The accesses are appended to `accesses`.
void submit_command(FirmwareBench& bench, std::deque<PageAccess>& accesses, AccessKind kind, std::uint32_t units,
                    Tick now) {
  for (std::uint32_t k = 0; k < units; ++k) {
    PageAccess& access = accesses.emplace_back(make_access(kind, accesses.size() % 100));
    access.place = k == 0 ? CommandPlace::first : CommandPlace::beside;
    bench.stage.submit(access, now);
  }
}

TEST_CASE("commands of n units saturate at the cores' clock over the cycles of a command and n units") {
  constexpr std::uint64_t commands = 600;
  constexpr std::uint32_t command_cycles = 3000;
  constexpr std::uint32_t unit_cycles = 400;
  const AccessKind kind = GENERATE(AccessKind::read, AccessKind::write);
  for (const std::uint32_t cores : {1U, 3U, 8U}) {
    for (const std::uint32_t units : {1U, 8U, 32U}) {
      CAPTURE(cores, units);
      FirmwareBench bench({.cores = cores,
                           .clock_mhz = 800,
                           .command_cycles = command_cycles,
                           .read_cycles = unit_cycles,
                           .write_cycles = unit_cycles});
      std::deque<PageAccess> accesses;
      for (std::uint64_t k = 0; k < commands; ++k) submit_command(bench, accesses, kind, units, 0);
      bench.run();
      const double most = cores * 800e6 / (command_cycles + units * unit_cycles);
      const double rate = commands / s_from_ticks(bench.calendar.now());
      CHECK(rate <= most * (1 + 1e-12));
      // At the end, each core is idle at most for the time of one access.
      const double last_s = (command_cycles + unit_cycles) / 800e6;
      CHECK(rate >= 1 / (1 / most + last_s / commands));
      CHECK(bench.front_end.done.size() == commands * units);
    }
  }
}

TEST_CASE("the latency of a command adds exactly, whatever its size, and occupies no core") {
  const std::uint32_t units = GENERATE(1U, 5U);
  const AccessKind kind = GENERATE(AccessKind::read, AccessKind::write, AccessKind::trim, AccessKind::flush);
  CAPTURE(units, kind);
  const FirmwareParameters cycles = {
      .cores = 2, .clock_mhz = 1000, .command_cycles = 2000, .read_cycles = 500, .write_cycles = 300};
  FirmwareParameters latency = cycles;
  latency.command_latency_us = 7;
  latency.read_latency_us = 1.5;
  std::array<Tick, 2> end{};
  std::array<Tick, 2> busy{};
  for (const std::size_t with : {0, 1}) {
    FirmwareBench bench(with == 1 ? latency : cycles);
    std::deque<PageAccess> accesses;
    submit_command(bench, accesses, kind, units, 0);
    bench.run();
    CHECK(bench.front_end.done.size() == units);
    end[with] = bench.front_end.done.back().second;
    busy[with] = bench.stage.counters().busy;
  }
  CHECK(end[1] - end[0] == 7 * microsecond + (kind == AccessKind::read ? 1'500 * nanosecond : 0));
  CHECK(busy[1] == busy[0]);
}

TEST_CASE("the latency does not limit the rate") {
  FirmwareBench bench({.command_latency_us = 10});
  std::deque<PageAccess> accesses;
  for (Tick k = 0; k < 1000; ++k) submit_command(bench, accesses, AccessKind::read, 4, 0);
  bench.run();
  CHECK(bench.calendar.now() == 10 * microsecond);
  CHECK(bench.stage.counters().jobs == 0);
}

TEST_CASE("an access that has waited for its command takes no further latency and no cycles of the command") {
  FirmwareBench bench({.cores = 1,
                       .clock_mhz = 1000,
                       .command_cycles = 2000,
                       .command_latency_us = 5,
                       .trim_cycles = 300,
                       .flush_cycles = 400});
  PageAccess trim = make_access(AccessKind::trim, 3);
  PageAccess flush = make_access(AccessKind::flush, 0);
  flush.place = CommandPlace::after;
  bench.front_end.heard = [&](PageAccess& access, Tick now) {
    if (&access == &trim) bench.stage.submit(flush, now);
  };
  bench.stage.submit(trim, 0);
  bench.run();
  CHECK(bench.front_end.time_of(trim) == 7'300 * nanosecond);
  CHECK(bench.front_end.time_of(flush) == 7'700 * nanosecond);
}

TEST_CASE("no access overtakes the first access of its command, and writes of a page keep their order") {
  FirmwareBench bench({.cores = 4, .clock_mhz = 1000, .command_cycles = 4000, .write_cycles = 100});
  std::deque<PageAccess> accesses;
  submit_command(bench, accesses, AccessKind::write, 3, 0);
  PageAccess again = make_access(AccessKind::write, 0);
  again.place = CommandPlace::beside;
  bench.stage.submit(again, 0);
  bench.run();
  REQUIRE(bench.backend.records.size() == 4);
  const std::vector<std::uint64_t> lpns = {0, 1, 2, 0};
  for (std::size_t k = 0; k < 4; ++k) {
    CHECK(bench.backend.records[k].lpn == lpns[k]);
    CHECK(bench.backend.records[k].at == 4'100 * nanosecond);
  }
  // Only the first access pays for its command.
  CHECK(bench.stage.counters().busy == 4'400 * nanosecond);
}

TEST_CASE("firmware without cycles is not used") {
  CHECK(!FirmwareParameters().used());
  CHECK(FirmwareParameters{.completion_cycles = 1}.used());
  CHECK(FirmwareParameters{.command_cycles = 1}.takes_cycles());
  CHECK(FirmwareParameters{.command_latency_us = 1}.used());
  CHECK(!FirmwareParameters{.command_latency_us = 1}.takes_cycles());
}

}  // namespace
}  // namespace nandscape::controller
