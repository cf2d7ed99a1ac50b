// SPDX-License-Identifier: Apache-2.0
// Saturates the device and compares its throughput with the bound of its busiest resource.
#include <string>

#include "catch.h"
#include "core/random.h"
#include "flash_bench.h"

namespace nandscape {
namespace {

constexpr std::uint32_t page_bytes = 16384;
constexpr double t_read_us = 60;
constexpr double t_prog_us = 600;

FlashDeviceParameters device(std::uint32_t dies, std::uint32_t rate_mt_s) {
  FlashDeviceParameters p;
  p.channel.count = 1;
  p.channel.interface = channel::BusInterface::nv_ddr4;
  p.channel.rate_mt_s = rate_mt_s;
  p.nand.geometry.chips_per_channel = dies;
  p.nand.geometry.dies_per_chip = 1;
  p.nand.geometry.planes_per_die = 2;
  p.nand.geometry.blocks_per_plane = 50;
  p.nand.geometry.pages_per_block = 100;
  p.nand.geometry.page_bytes = page_bytes;
  p.nand.geometry.spare_bytes = 1024;
  p.nand.timing.read = nand::ReadTime::per_page_type;
  p.nand.coding = "slc";
  p.nand.timing.t_read_us = {t_read_us};
  p.nand.timing.t_prog_us = t_prog_us;
  p.ecc.decode_mb_s = 1e6;
  p.ecc.encode_mb_s = 1e6;
  p.controller.mapping.over_provisioning = 0.5;
  p.controller.scheduler.multi_plane = false;
  return p;
}

// Bus times in us, computed here from the parameters, independently of the models.
double data_us(const FlashDeviceParameters& p) {
  return 0.030 + page_bytes * (page_bytes + 1024.0) / page_bytes / p.channel.rate_mt_s;
}
double read_command_us() { return 7 * 0.025 + 0.1; }
double page_out_us(const FlashDeviceParameters& p) { return 0.020 + data_us(p); }
double program_command_us(const FlashDeviceParameters& p) { return 7 * 0.025 + 0.15 + data_us(p) + 0.1; }
double status_us(const FlashDeviceParameters& p) { return 0.025 + 0.08 + 0.030 + 1.0 / p.channel.rate_mt_s; }

// Returns the throughput in pages per second at a constant queue depth. The first and the last tenth of the accesses
// are left out.
double throughput(FlashBench& bench, AccessKind kind, int depth, int pages) {
  std::uint64_t next_lpn = 0;  // round robin over all planes
  int completed = 0, left = pages - depth;
  Tick begin = 0, end = 0;
  const auto choose = [&] { return Lpn(next_lpn++ % bench.device.ftl().logical_pages()); };
  bench.on_completed = [&](FlashBench::Request& request) {
    ++completed;
    if (completed == pages / 10) begin = request.completed;
    if (completed == pages - pages / 10) end = request.completed;
    if (left-- > 0) {
      request.access.lpn = choose();
      bench.submit_now(request);
    }
  };
  for (int k = 0; k < depth; ++k) bench.at(0, kind, choose());
  bench.run();
  REQUIRE(completed == pages);
  CHECK(bench.idle());
  return (pages - 2.0 * (pages / 10)) / s_from_ticks(end - begin);
}

TEST_CASE("few dies on a fast bus read as fast as their arrays") {
  const std::uint32_t dies = GENERATE(1u, 2u);
  const FlashDeviceParameters p = device(dies, 3600);
  FlashBench bench(p);
  const double rate = throughput(bench, AccessKind::read, 32, 5000);
  CHECK(rate == Approx(dies * 1e6 / (read_command_us() + t_read_us + page_out_us(p))).epsilon(0.01));
}

TEST_CASE("many dies on a bus read as fast as the bus") {
  const FlashDeviceParameters p = device(16, 800);
  FlashBench bench(p);
  const double rate = throughput(bench, AccessKind::read, 256, 10000);
  CHECK(rate == Approx(1e6 / (read_command_us() + page_out_us(p))).epsilon(0.01));
  CHECK(bench.device.back_end().channel_busy_fraction(bench.calendar.now()) == Approx(1).epsilon(0.02));
}

TEST_CASE("writes are as fast as programming") {
  FlashDeviceParameters p = device(4, 3600);
  p.controller.precondition.occupancy = 0;
  FlashBench bench(p);
  const double rate = throughput(bench, AccessKind::write, 64, 8000);
  CHECK(rate == Approx(4e6 / (program_command_us(p) + t_prog_us + status_us(p))).epsilon(0.01));
}

TEST_CASE("multi-plane programs write on all planes at once") {
  FlashDeviceParameters p = device(2, 3600);
  p.controller.precondition.occupancy = 0;
  p.controller.scheduler.multi_plane = true;
  p.controller.mapping.allocation = "PDWC";
  FlashBench bench(p);
  const double rate = throughput(bench, AccessKind::write, 64, 8000);
  const double cycle = 2 * program_command_us(p) + 0.5 + t_prog_us + 2 * status_us(p);
  CHECK(rate == Approx(2 * 2e6 / cycle).epsilon(0.01));
}

TEST_CASE("cache reads hide the array time behind the data, or the data behind the array time") {
  // The drive has one die. On the slow bus, the data-out of a page takes longer than tR; on the fast bus, it takes
  // less.
  const std::uint32_t rate_mt_s = GENERATE(100u, 3600u);
  FlashDeviceParameters p = device(1, rate_mt_s);
  p.controller.scheduler.cache_read = true;
  FlashBench bench(p);
  const double rate = throughput(bench, AccessKind::read, 16, 3000);
  // Each data-out follows the command cycles of the next cache read, and tRCBSY.
  const double to_array = read_command_us() + 3;
  CHECK(rate == Approx(1e6 / (to_array + std::max(t_read_us, page_out_us(p)))).epsilon(0.01));
}

TEST_CASE("channels work in parallel") {
  FlashDeviceParameters p = device(8, 800);
  p.channel.count = 3;
  FlashBench bench(p);
  const double rate = throughput(bench, AccessKind::read, 600, 20000);
  CHECK(rate == Approx(3e6 / (read_command_us() + page_out_us(p))).epsilon(0.01));
}

TEST_CASE("results do not depend on the quantum") {
  const auto run = [](Tick quantum) {
    FlashDeviceParameters p = device(4, 800);
    p.nand.geometry.blocks_per_plane = 20;
    p.nand.geometry.pages_per_block = 20;
    p.controller.scheduler.multi_plane = true;
    FlashBench bench(p, false, quantum);
    RandomStream random(3, "quantum");
    std::vector<std::pair<std::uint64_t, Tick>> completions;
    int left = 3000;
    const auto choose = [&](PageAccess& access) {
      access.kind = random.below(2) == 0 ? AccessKind::read : AccessKind::write;
      access.lpn = Lpn(random.below(bench.device.ftl().logical_pages()));
    };
    bench.on_completed = [&](FlashBench::Request& request) {
      completions.emplace_back(request.access.lpn.value, request.completed);
      if (left-- <= 0) return;
      choose(request.access);
      bench.submit_now(request);
    };
    for (int k = 0; k < 32; ++k) bench.at(static_cast<Tick>(k) * microsecond, AccessKind::read, Lpn(0));
    bench.run();
    CHECK(bench.device.ftl().counters().collection.victims > 10);
    return completions;
  };
  const auto synchronous = run(0);
  CHECK(run(100 * nanosecond) == synchronous);
  CHECK(run(millisecond) == synchronous);
}

}  // namespace
}  // namespace nandscape
