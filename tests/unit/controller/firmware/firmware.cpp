// SPDX-License-Identifier: Apache-2.0
#include "controller/firmware/firmware_stage.h"

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

TEST_CASE("firmware without cycles is not used") {
  CHECK(!FirmwareParameters().used());
  CHECK(FirmwareParameters{.completion_cycles = 1}.used());
}

}  // namespace
}  // namespace nandscape::controller
