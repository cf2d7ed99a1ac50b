// SPDX-License-Identifier: Apache-2.0
// Compares the write amplification of the device in its steady state with the theory of uniformly random writes. Also
// shows the gain from separating hot pages from cold pages.
//
// The theory needs the spare flash of the full blocks, which is the effective over-provisioning (CapacityPlan). In
// these tests, the host writes so slowly that collection ends before the next write. For half of the time
// start_free_blocks blocks are free, and otherwise one block fewer. A host that writes at full speed would reduce the
// free blocks to the reserve, which increases the spare flash of the full blocks.
#include "collection_theory.h"

#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "assign_parameters.h"
#include "catch.h"
#include "controller/capacity.h"
#include "core/random.h"
#include "protocol/flash_bench.h"

namespace nandscape {
namespace {

constexpr std::uint32_t start_free_blocks = 4;

// Returns a device whose flash has almost no latency, because only the numbers of programs and erases matter.
FlashDeviceParameters many_blocks(double over_provisioning, std::uint32_t planes, std::uint32_t blocks,
                                  std::uint32_t pages_per_block) {
  FlashDeviceParameters p;
  p.channel.count = 1;
  p.nand.geometry.chips_per_channel = 1;
  p.nand.geometry.dies_per_chip = 1;
  p.nand.geometry.planes_per_die = planes;
  p.nand.geometry.blocks_per_plane = blocks;
  p.nand.geometry.pages_per_block = pages_per_block;
  p.nand.geometry.page_bytes = 4096;
  p.nand.geometry.spare_bytes = 256;
  p.nand.coding = "slc";
  p.nand.timing.t_read_us = {1};
  p.nand.timing.t_prog_us = 1;
  p.nand.timing.t_bers_us = 1;
  p.ecc.codeword_bytes = 1024;
  p.controller.mapping.over_provisioning = over_provisioning;
  p.controller.garbage_collection.start_free_blocks = start_free_blocks;
  p.controller.precondition.distribution = controller::FillDistribution::steady_state;
  return p;
}

// Writes whole pages one after another. Each write starts `gap` after the previous one has completed, so the device is
// idle by then.
class SlowWrites {
 public:
  using NextPage = std::function<Lpn()>;

  SlowWrites(const FlashDeviceParameters& p, Tick gap) : bench_(p, false, 1000 * second, "ideal", false), gap_(gap) {
    PageAccess write;
    write.kind = AccessKind::write;
    request_ = &bench_.at(0, write);
    request_->access.sector_count = static_cast<std::uint16_t>(ftl().page_bytes() / sector_bytes);
  }

  const controller::Ftl& ftl() const { return bench_.device.ftl(); }

  struct Amount {
    double host_pages = 0;
    double programmed_pages = 0;
    double erased_pages = 0;
  };

  // Writes `pages` pages. Returns their number, and the numbers of pages programmed and erased in the meantime.
  Amount write(std::uint64_t pages, const NextPage& next_page) {
    const nand::DieCounters before = bench_.device.back_end().nand_counters();
    std::uint64_t left = pages;
    request_->access.lpn = next_page();
    bench_.on_completed = [&](FlashBench::Request& request) {
      REQUIRE(request.access.status == AccessStatus::ok);
      if (--left == 0) return;
      request.access.lpn = next_page();
      bench_.submit_at(bench_.calendar.now() + gap_, request);
    };
    if (started_) bench_.submit_now(*request_);
    started_ = true;
    bench_.run();
    const nand::DieCounters after = bench_.device.back_end().nand_counters();
    return {static_cast<double>(pages), static_cast<double>(after.page_programs - before.page_programs),
            static_cast<double>(after.block_erases - before.block_erases) * ftl().layout().flash().pages_per_block};
  }

 private:
  FlashBench bench_;
  const Tick gap_;
  FlashBench::Request* request_ = nullptr;
  bool started_ = false;
};

TEST_CASE("random writes under greedy collection have the write amplification of the theory") {
  constexpr std::uint32_t planes = 2, blocks = 400, pages_per_block = 64;
  const double over_provisioning = GENERATE(0.07, 0.15, 0.28);
  const FlashDeviceParameters p = many_blocks(over_provisioning, planes, blocks, pages_per_block);
  SlowWrites device(p, 2 * millisecond);
  const std::uint64_t logical_pages = device.ftl().logical_pages();
  RandomStream random(1, "pages");
  const auto any_page = [&] { return Lpn(random.below(logical_pages)); };
  device.write(2 * logical_pages, any_page);
  const SlowWrites::Amount amount = device.write(4 * logical_pages, any_page);

  const double effective = capacity_plan_of(p).effective_over_provisioning();
  const double theory = controller::greedy_equilibrium(1 / (1 + effective), pages_per_block).write_amplification;
  const double by_programs = amount.programmed_pages / amount.host_pages;
  const double by_erases = amount.erased_pages / amount.host_pages;
  std::printf(
      "over-provisioning %.2f, effective %.4f: write amplification %.3f by programs, %.3f by erases; "
      "theory %.3f (%+.1f %%)\n",
      over_provisioning, effective, by_programs, by_erases, theory, 100 * (by_programs / theory - 1));
  CHECK(by_programs == Approx(theory).epsilon(0.02));
  CHECK(by_erases == Approx(theory).epsilon(0.02));
}

TEST_CASE("steady-state preconditioning starts a device in its steady state") {
  constexpr std::uint32_t planes = 16, blocks = 100, pages_per_block = 64;
  const double over_provisioning = GENERATE(0.15, 0.28);
  SlowWrites device(many_blocks(over_provisioning, planes, blocks, pages_per_block), 2 * millisecond);
  const std::uint64_t logical_pages = device.ftl().logical_pages();
  RandomStream random(1, "pages");
  const auto any_page = [&] { return Lpn(random.below(logical_pages)); };
  std::vector<double> tenths;
  for (int tenth = 0; tenth < 10; ++tenth) {
    const SlowWrites::Amount amount = device.write(logical_pages / 10, any_page);
    tenths.push_back(amount.programmed_pages / amount.host_pages);
  }
  std::printf("over-provisioning %.2f: write amplification by tenths of a device write", over_provisioning);
  for (const double tenth : tenths) std::printf(" %.3f", tenth);
  std::printf("\n");
  CHECK(tenths.front() == Approx(tenths.back()).epsilon(0.1));
}

// Returns the write amplification when nine of ten writes go to one tenth of the pages.
double amplification_of_skewed_writes(const std::string& streams) {
  FlashDeviceParameters p = many_blocks(0.15, 1, 400, 64);
  const auto logical_pages = static_cast<std::uint64_t>(400 * 64 / 1.15);
  if (streams == "hot_cold") {
    // In this window, a hot page is written about four times, and a cold page hardly ever.
    assign(p.controller.streams, {{"policy", streams}, {"window_writes", std::to_string(logical_pages / 2)}});
  } else {
    p.controller.streams.policy.name = streams;
  }
  SlowWrites device(p, 2 * millisecond);
  REQUIRE(device.ftl().logical_pages() == logical_pages);
  const std::uint64_t hot_pages = logical_pages / 10;
  RandomStream random(1, "pages");
  const auto mostly_hot = [&] {
    if (random.below(10) != 0) return Lpn(random.below(hot_pages));
    return Lpn(hot_pages + random.below(logical_pages - hot_pages));
  };
  device.write(4 * logical_pages, mostly_hot);
  const SlowWrites::Amount amount = device.write(4 * logical_pages, mostly_hot);
  return amount.programmed_pages / amount.host_pages;
}

TEST_CASE("separating hot pages from cold ones lowers write amplification") {
  const double single = amplification_of_skewed_writes("single");
  const double by_source = amplification_of_skewed_writes("by_source");
  const double hot_cold = amplification_of_skewed_writes("hot_cold");
  std::printf(
      "nine of ten writes to a tenth of the pages: write amplification %.3f in a single stream, %.3f by source, "
      "%.3f with hot and cold apart\n",
      single, by_source, hot_cold);
  CHECK(hot_cold < 0.99 * by_source);
  CHECK(by_source < 0.95 * single);
}

}  // namespace
}  // namespace nandscape
