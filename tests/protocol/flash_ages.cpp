// SPDX-License-Identifier: Apache-2.0
// Tests the ages of preconditioned data. The initial fill assigns an age to each block, and the cells of the block must
// be as old as this age.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "catch.h"
#include "platform/wiring/predicted_rber.h"
#include "small_device.h"

namespace nandscape {
namespace {

// Returns a device with worn cells that lose charge. Reads are not retried, and the code corrects any number of errors,
// so that the number of raw bit errors of every page can be measured.
FlashDeviceParameters ageing_device(controller::FillAges ages, std::uint32_t stripe_dies) {
  FlashDeviceParameters p = small_device();
  p.nand.geometry.dies_per_chip = 2;
  p.nand.geometry.blocks_per_plane = 40;
  p.nand.geometry.pages_per_block = 48;
  p.nand.condition.pe_cycles = 1000;
  p.nand.condition.temperature_c = 40;
  p.nand.cells.placement.tail_mv = 70;
  p.nand.cells.retention.shift_mv = 25;
  p.ecc.correctable_bits = 8 * p.ecc.codeword_bytes;
  p.controller.parity.stripe_dies = stripe_dies;
  p.controller.precondition.distribution = controller::FillDistribution::steady_state;
  p.controller.precondition.ages = ages;
  p.controller.precondition.drive_writes_per_day = 0.1;
  return p;
}

struct BlockErrors {
  double days = 0;     // age of the data in days
  double of_page = 0;  // mean number of raw bit errors per page
};

// Reads all data. Returns the mean number of raw errors per page for each mapping block that holds data, youngest block
// first.
std::vector<BlockErrors> read_everything(const FlashDeviceParameters& p) {
  FlashBench bench(p, false, millisecond, "statistical");
  const controller::InitialFill& fill = bench.device.ftl().initial_fill();
  const controller::FtlGeometry& mapping = bench.device.ftl().layout().mapping();
  std::vector<std::vector<Lpn>> pages(mapping.blocks());
  for (std::uint64_t k = 0; k < bench.device.ftl().logical_pages(); ++k) {
    pages[mapping.block_of(fill.find(Lpn(k))).value].push_back(Lpn(k));
  }
  std::vector<BlockErrors> blocks;
  for (std::uint32_t block = 0; block < mapping.blocks(); ++block) {
    if (pages[block].empty()) continue;
    const std::uint64_t before = bench.device.back_end().ecc_counters().corrected_bits;
    for (const Lpn lpn : pages[block]) bench.at(bench.calendar.now(), AccessKind::read, lpn);
    bench.run();
    const auto errors = static_cast<double>(bench.device.back_end().ecc_counters().corrected_bits - before);
    blocks.push_back({fill.age_days(controller::Superblock(block)), errors / static_cast<double>(pages[block].size())});
  }
  std::stable_sort(blocks.begin(), blocks.end(),
                   [](const BlockErrors& a, const BlockErrors& b) { return a.days < b.days; });
  return blocks;
}

TEST_CASE("older blocks are read with more raw errors, as many as their age predicts") {
  const std::uint32_t stripe_dies = GENERATE(0u, 2u);
  const FlashDeviceParameters p = ageing_device(controller::FillAges::spread, stripe_dies);
  const std::vector<BlockErrors> blocks = read_everything(p);
  REQUIRE(blocks.size() > 60);
  CHECK(blocks.back().of_page > 2 * blocks.front().of_page);
  // Compares the mean over many pages with the closed form at the operating temperature.
  const PredictedRber predicted(p.nand);
  const double hours_at_30c = 24 * arrhenius_factor(p.nand.cells.retention, p.nand.condition.temperature_c);
  double measured = 0, expected = 0;
  for (std::size_t third = 0; third < 3; ++third) {
    measured = expected = 0;
    for (std::size_t k = third * blocks.size() / 3; k < (third + 1) * blocks.size() / 3; ++k) {
      controller::BlockAge age{.age_hours = blocks[k].days * hours_at_30c, .pe_cycles = p.nand.condition.pe_cycles};
      measured += blocks[k].of_page;
      expected += predicted.mean_rber(age) * 8 * (p.nand.geometry.page_bytes + p.nand.geometry.spare_bytes);
    }
    CAPTURE(stripe_dies, third);
    CHECK(measured == Approx(expected).epsilon(0.05));
  }
}

TEST_CASE("blocks of uniform age are read with about equally many raw errors") {
  const std::vector<BlockErrors> blocks = read_everything(ageing_device(controller::FillAges::uniform, 0));
  const auto [least, most] = std::minmax_element(
      blocks.begin(), blocks.end(), [](const BlockErrors& a, const BlockErrors& b) { return a.of_page < b.of_page; });
  CHECK(most->days == 0);
  CHECK(most->of_page < 2 * least->of_page);
}

TEST_CASE("data of the updated range are read as new, all others as old as the device's condition says") {
  FlashDeviceParameters p = ageing_device(controller::FillAges::uniform, GENERATE(0u, 2u));
  p.nand.condition.retention_days = 90;
  p.nand.condition.storage_temperature_c = 30;
  p.controller.precondition.updated_start_bytes = 4 << 20;
  p.controller.precondition.updated_bytes = 8 << 20;
  p.controller.precondition.updated_age_days = 1;
  const PredictedRber predicted(p.nand);
  const double bits = 8.0 * (p.nand.geometry.page_bytes + p.nand.geometry.spare_bytes);
  const double day_hours = 24 * arrhenius_factor(p.nand.cells.retention, p.nand.condition.temperature_c);
  const auto expected = [&](double hours) {
    return bits * predicted.mean_rber({.age_hours = hours, .pe_cycles = p.nand.condition.pe_cycles});
  };
  double young = 0, old = 0;
  std::size_t young_blocks = 0;
  const std::vector<BlockErrors> blocks = read_everything(p);
  for (const BlockErrors& block : blocks) {
    (block.days == 1 ? young : old) += block.of_page;
    young_blocks += block.days == 1 ? 1 : 0;
  }
  REQUIRE(young_blocks > 4);
  CHECK(young / static_cast<double>(young_blocks) == Approx(expected(day_hours)).epsilon(0.1));
  CHECK(old / static_cast<double>(blocks.size() - young_blocks) == Approx(expected(90 * 24)).epsilon(0.1));
}

// Returns the number of blocks that are refreshed within ten seconds. The data start one minute younger than their
// refresh age, at 30 C.
std::uint64_t blocks_refreshed_at(double temperature_c) {
  FlashDeviceParameters p = small_device();
  p.nand.condition.temperature_c = temperature_c;
  p.nand.condition.retention_days = 90 - 60.0 / 86'400;
  p.controller.refresh.policy.name = "period";  // refreshes data whose age corresponds to 90 days at 30 C
  p.controller.refresh.check_hours = 0.001;
  FlashBench bench(p);
  bench.at(0, AccessKind::read, Lpn(0));
  bench.at(10 * second, AccessKind::read, Lpn(0));
  bench.run();
  CHECK(bench.idle());
  return bench.device.ftl().counters().collection.emptied[static_cast<std::size_t>(controller::Reason::refresh)];
}

TEST_CASE("the controller also counts the updated range as new") {
  const auto emptied = [](std::uint64_t updated_bytes) {
    FlashDeviceParameters p = small_device();
    p.nand.condition.retention_days = 100;
    p.controller.precondition.updated_bytes = updated_bytes;
    p.controller.refresh.policy.name = "period";  // refreshes data that are older than 90 days
    p.controller.refresh.check_hours = 0.001;
    FlashBench bench(p);
    bench.at(0, AccessKind::read, Lpn(0));
    bench.at(10 * second, AccessKind::read, Lpn(0));
    bench.run();
    return bench.device.ftl().counters().collection.emptied[static_cast<std::size_t>(controller::Reason::refresh)];
  };
  const FlashBench bench(small_device());
  CHECK(emptied(0) > 10);
  CHECK(emptied(bench.device.ftl().logical_pages() * bench.device.ftl().page_bytes()) == 0);
}

TEST_CASE("the controller also counts an hour in the heat as many") {
  CHECK(blocks_refreshed_at(30) == 0);
  // By the Arrhenius equation with 1.1 eV, data age 13.5 times as fast at 50 C as at 30 C.
  CHECK(blocks_refreshed_at(50) > 10);
}

}  // namespace
}  // namespace nandscape
