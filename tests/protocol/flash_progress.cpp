// SPDX-License-Identifier: Apache-2.0
// Overwrites a full device for a long time. At any over-provisioning, garbage collection must keep up, and writes must
// not stall.
#include <algorithm>
#include <cmath>
#include <vector>

#include "catch.h"
#include "core/random.h"
#include "flash_bench.h"

namespace nandscape {
namespace {

FlashDeviceParameters full_device(double over_provisioning) {
  FlashDeviceParameters p;
  p.channel.count = 2;
  p.nand.geometry.chips_per_channel = 1;
  p.nand.geometry.dies_per_chip = 2;
  p.nand.geometry.planes_per_die = 2;
  p.nand.geometry.blocks_per_plane = 128;
  p.nand.geometry.pages_per_block = 24;
  p.nand.geometry.page_bytes = 4096;
  p.nand.geometry.spare_bytes = 256;
  p.ecc.codeword_bytes = 1024;
  p.controller.mapping.over_provisioning = over_provisioning;
  return p;
}

struct Overwrites {
  int completed = 0;
  std::vector<Tick> milestones;  // time at which each further share of the writes had completed
};

// Overwrites whole pages at random, with a uniform distribution.
Overwrites overwrite(FlashBench& bench, int writes, int depth, int shares) {
  Overwrites result;
  RandomStream random(1, "overwrites");
  int left = writes - depth;
  const auto choose = [&] { return Lpn(random.below(bench.device.ftl().logical_pages())); };
  bench.on_completed = [&](FlashBench::Request& request) {
    REQUIRE(request.access.status == AccessStatus::ok);
    if (++result.completed % (writes / shares) == 0) result.milestones.push_back(request.completed);
    if (left-- <= 0) return;
    request.access.lpn = choose();
    bench.submit_now(request);
  };
  for (int k = 0; k < depth; ++k) bench.at(0, AccessKind::write, choose());
  bench.run();
  return result;
}

TEST_CASE("a full device makes steady progress under random overwrites") {
  FlashDeviceParameters p = full_device(GENERATE(0.07, 0.15, 0.28));
  p.controller.garbage_collection.pages_in_flight = GENERATE(1u, 8u);
  p.controller.scheduler.policy.name = GENERATE("fifo", "out_of_order");
  CAPTURE(p.controller.mapping.over_provisioning, p.controller.garbage_collection.pages_in_flight,
          p.controller.scheduler.policy.name);
  FlashBench bench(p);
  constexpr int shares = 20;
  const Overwrites result = overwrite(bench, 40000, 64, shares);
  REQUIRE(result.completed == 40000);
  REQUIRE(result.milestones.size() == shares);
  CHECK(bench.idle());

  // In the second half of the run, garbage collection is in its steady state, so every share of the writes must take
  // about as long as any other.
  std::vector<double> spans;
  for (int k = shares / 2; k < shares; ++k) {
    spans.push_back(static_cast<double>(result.milestones[k] - result.milestones[k - 1]));
  }
  const auto [fastest, slowest] = std::minmax_element(spans.begin(), spans.end());
  CHECK(*slowest < 1.3 * *fastest);
}

TEST_CASE("every policy makes progress with all features of the scheduler") {
  FlashDeviceParameters p = full_device(0.15);
  controller::SchedulerParameters& scheduler = p.controller.scheduler;
  scheduler.policy.name = GENERATE("fifo", "out_of_order", "read_first", "priority", "flin");
  scheduler.cache_read = scheduler.cache_program = GENERATE(false, true);
  scheduler.max_suspends = 3;
  scheduler.min_run_us = 50;
  CAPTURE(scheduler.policy.name, scheduler.cache_program);
  FlashBench bench(p);
  int completed = 0;
  int left = 15000;
  RandomStream random(2, "mixed");
  bench.on_completed = [&](FlashBench::Request& request) {
    REQUIRE(request.access.status == AccessStatus::ok);
    ++completed;
    if (left-- <= 0) return;
    request.access.lpn = Lpn(random.below(bench.device.ftl().logical_pages()));
    bench.submit_now(request);
  };
  for (int k = 0; k < 64; ++k) {
    FlashBench::Request& request = bench.at(0, k % 4 == 0 ? AccessKind::read : AccessKind::write, Lpn(k));
    request.access.stream = static_cast<std::uint16_t>(k % 3);
    request.access.priority = static_cast<PriorityClass>(k % 4);
  }
  bench.run();
  CHECK(completed == 15064);
  CHECK(bench.idle());
  const controller::ControllerCounters counters = bench.device.ftl().counters();
  CHECK(bench.device.back_end().nand_counters().page_programs == counters.writer.programmed_pages);
  CHECK(bench.device.back_end().nand_counters().suspends == counters.scheduler.suspends);
  CHECK((counters.scheduler.cache_programs > 0) == scheduler.cache_program);
}

TEST_CASE("every programmed page is a host page or a moved one") {
  FlashBench bench(full_device(0.15));
  overwrite(bench, 30000, 64, 1);
  const controller::ControllerCounters counters = bench.device.ftl().counters();
  CHECK(counters.writer.programmed_pages == 30000 + counters.collection.moved_units);
  CHECK(bench.device.back_end().nand_counters().page_programs == counters.writer.programmed_pages);
  const std::uint64_t read = counters.collection.moved_units + counters.collection.skipped_pages;
  CHECK(bench.device.back_end().nand_counters().page_reads == read);
  CHECK(bench.device.back_end().nand_counters().block_erases == counters.collection.victims);
  CHECK(bench.device.back_end().ecc_counters().encoded_pages == counters.writer.programmed_pages);
  CHECK(bench.device.back_end().ecc_counters().decoded_pages == read);
  CHECK(counters.write_amplification() == Approx(counters.writer.programmed_pages / 30000.0));
  CHECK(counters.collection.overtaken_pages > 0);
}

}  // namespace
}  // namespace nandscape
