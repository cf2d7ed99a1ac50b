// SPDX-License-Identifier: Apache-2.0
// Compares the latency of a single read on an idle device with equations 2 to 5 of Park et al., ASPLOS 2021, to the
// picosecond. Also checks when the die becomes free after retries that lock it. The equations are written out here and
// do not use the models.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "assign_parameters.h"
#include "catch.h"
#include "flash_bench.h"
#include "platform/config/configuration.h"
#include "platform/config/read_timing_tables.h"

namespace nandscape {
namespace {

constexpr Tick us = microsecond;
constexpr Tick t_dma = 16'384 * nanosecond;
constexpr Tick t_ecc = 20 * us;
constexpr Tick t_set = 1 * us + 4 * nanosecond;  // 1 us plus the transfer of four bytes on the bus
constexpr Tick t_rst = 5 * us;
constexpr Tick senses[] = {2, 3, 2};
constexpr Tick t_pre = 24 * us;
constexpr Tick t_eval_and_disch = 15 * us;

// Returns a device with one die of one plane and with the cells of the paper. Bus times other than data transfers are
// zero.
FlashDeviceParameters study_device(double pe_cycles, double days, const std::vector<std::string>& more = {}) {
  std::vector<std::string> assignments = {
      "channel.count=1",
      "nand.geometry.chips_per_channel=1",
      "nand.geometry.planes_per_die=1",
      "nand.geometry.blocks_per_plane=40",
      "controller.mapping.over_provisioning=0.5",
      "channel.t_cycle_ns=0",
      "channel.t_wb_ns=0",
      "channel.t_rr_ns=0",
      "channel.t_adl_ns=0",
      "channel.t_preamble_ns=0",
      "channel.t_postamble_ns=0",
      "nand.timing.t_rcbsy_us=0",
      "nand.timing.t_feat_us=1",
      "nand.timing.t_rst_read_us=5",
      "nand.condition.pe_cycles=" + std::to_string(static_cast<int>(pe_cycles)),
      "nand.condition.retention_days=" + std::to_string(days),
  };
  assignments.insert(assignments.end(), more.begin(), more.end());
  std::vector<Override> overrides;
  for (const std::string& assignment : assignments) overrides.push_back(parse_override(assignment));
  return load_configuration("retry_tlc_512g", overrides).parameters;
}

struct Read {
  std::uint32_t page_type = 0;
  Tick steps = 0;
  Tick latency = 0;
};

std::vector<Read> reads_of(const FlashDeviceParameters& p, std::uint32_t count) {
  FlashBench bench(p, false, millisecond, "statistical");
  std::vector<Read> reads;
  for (std::uint32_t k = 0; k < count; ++k) {
    const std::uint64_t lpn = k * 97 % bench.device.ftl().logical_pages();
    const controller::ReadRetryCounters before = bench.device.ftl().counters().read_retry;
    FlashBench::Request& request = bench.at(bench.calendar.now() + 10 * us, AccessKind::read, Lpn(lpn));
    bench.run();
    REQUIRE(request.access.status == AccessStatus::ok);
    REQUIRE(bench.idle());
    const auto page = static_cast<std::uint32_t>(bench.device.ftl().initial_fill().find(Lpn(lpn)).value);
    const Tick steps = bench.device.ftl().counters().read_retry.steps - before.steps;
    reads.push_back({page % 3, steps, request.latency()});
  }
  return reads;
}

struct Condition {
  double pe_cycles;
  double days;
};
// Conditions chosen so that some reads need no retry step, others need more than 20, and the rest lie in between.
const std::vector<Condition> conditions = {{0, 0},     {0, 7},      {0, 14},    {0, 30},     {0, 90},
                                           {0, 180},   {500, 180},  {1000, 90}, {1000, 180}, {1000, 365},
                                           {2000, 90}, {2000, 180}, {2000, 365}};

// Returns the reduction of tPRE, in units of 1/255.
Tick shortened(const Condition& condition) {
  static const controller::ReadTimingTable table = load_read_timing_table("tlc_3d_48");
  return table.precharge_reduction(condition.pe_cycles, condition.days * 24 / hours_per_month);
}

std::string retry_key(const std::string& key, bool on) {
  return "controller.read_retry." + key + "=" + (on ? "true" : "false");
}

TEST_CASE("a read of an idle device takes the time of the equations, for any number of steps") {
  const bool retries = GENERATE(false, true);
  const bool pipelined = retries && GENERATE(false, true);
  const bool adapted = retries && GENERATE(false, true);
  std::vector<std::string> keys = {"controller.read_retry.policy=none"};
  if (retries) keys = {retry_key("pipelined", pipelined), retry_key("adaptive", adapted)};
  std::set<Tick> seen;
  for (const Condition& condition : conditions) {
    for (const Read& read : reads_of(study_device(condition.pe_cycles, condition.days, keys), 40)) {
      INFO(keys.back() << ", " << condition.pe_cycles << " cycles, " << condition.days << " days, " << read.steps
                       << " steps of a page of type " << read.page_type);
      const Tick n = read.steps;
      const Tick t_r = senses[read.page_type] * (t_pre + t_eval_and_disch);
      const Tick t_pre_of_steps = t_pre * (255 - (adapted ? shortened(condition) : 0)) / 255;
      // rho tR in the paper's equations
      const Tick t_r_of_steps = senses[read.page_type] * (t_pre_of_steps + t_eval_and_disch);
      Tick t_retry = 0;
      if (n > 0) {
        t_retry = pipelined ? n * t_r_of_steps + t_dma + t_ecc : n * (t_r_of_steps + t_dma + t_ecc);
        if (adapted) t_retry += t_set;
      }
      CHECK(read.latency == t_r + t_dma + t_ecc + t_retry);
      if (!retries) CHECK(n == 0);
      seen.insert(n);
    }
  }
  if (!retries) return;
  for (Tick n = 0; n <= 20; ++n) CHECK(seen.count(n) == 1);
}

// Reads one page five times. Each read starts as soon as the previous read has ended, so all reads need the same number
// of steps.
TEST_CASE("the needless step is reset, and the die is free tRST later") {
  const bool pipelined = GENERATE(false, true);
  FlashBench bench(study_device(2000, 365, {retry_key("pipelined", pipelined)}), false, millisecond, "statistical");
  std::vector<Tick> latencies;
  bench.on_completed = [&](FlashBench::Request& request) {
    latencies.push_back(request.latency());
    if (latencies.size() < 5) bench.submit_now(request);
  };
  bench.at(10 * us, AccessKind::read, Lpn(30));
  bench.run();
  REQUIRE(latencies.size() == 5);
  for (std::size_t k = 1; k < latencies.size(); ++k) {
    CHECK(latencies[k] == latencies[0] + (pipelined ? t_rst : 0));
  }
  CHECK(bench.device.back_end().nand_counters().resets == (pipelined ? 5 : 0));
}

// Returns the device of the paper, but with a soft decoder. A page has four codewords.
FlashDeviceParameters soft_device(std::uint32_t retry_steps, double pe_cycles, double days, std::uint32_t levels = 7,
                                  bool keeps_senses = false) {
  FlashDeviceParameters p = study_device(pe_cycles, days);
  assign(p.controller.read_retry, {{"policy", "soft"},
                                   {"most_sensing_levels", std::to_string(levels)},
                                   {"keep_senses", keeps_senses ? "true" : "false"}});
  p.ecc.codec.name = "ldpc";
  p.ecc.decoder.name = "table";
  p.ecc.codeword_bytes = 4096;
  p.nand.geometry.spare_bytes = 2208;
  p.nand.cells.read_levels.retry_steps = retry_steps;
  return p;
}

TEST_CASE("a page is read with one sensing level after another, and then at the next step of the table") {
  // Number of bits that the die transfers for each cell, indexed by the number of sensing levels.
  constexpr Tick bits[] = {0, 1, 2, 2, 3, 3, 3, 3};
  const bool keeps = GENERATE(false, true);
  std::set<Tick> levels_needed;
  Tick most_steps = 0;
  for (const Condition& condition : conditions) {
    const FlashDeviceParameters p = soft_device(40, condition.pe_cycles, condition.days, 7, keeps);
    for (const Read& read : reads_of(p, 40)) {
      INFO(condition.pe_cycles << " cycles, " << condition.days << " days, " << read.steps
                               << " retries of a page of type " << read.page_type);
      const Tick t_sense = senses[read.page_type] * (t_pre + t_eval_and_disch);
      Tick expected = 0;
      for (Tick n = 0; n <= read.steps; ++n) {
        // If the die keeps the results of earlier senses, each read needs only one additional level.
        const Tick levels = keeps ? 1 : n % 7 + 1;
        expected += levels * t_sense + bits[levels] * t_dma + t_ecc;
      }
      CHECK(read.latency == expected);
      levels_needed.insert(read.steps % 7 + 1);
      most_steps = std::max(most_steps, read.steps);
    }
  }
  CHECK(levels_needed.size() == 7);
  CHECK(most_steps > 7);  // some pages needed a step of the retry table in addition
}

TEST_CASE("an uncorrectable page is tried with each number of sensing levels at each step") {
  const FlashDeviceParameters p = soft_device(2, 3000, 2000, 5);
  FlashBench bench(p, false, millisecond, "statistical");
  FlashBench::Request& request = bench.at(0, AccessKind::read, Lpn(30));
  bench.run();
  CHECK(request.access.status == AccessStatus::unrecovered_read_error);
  const controller::ReadRetryCounters counters = bench.device.ftl().counters().read_retry;
  CHECK(counters.sensing_levels.reads == std::array<std::uint64_t, 7>{3, 3, 3, 3, 3, 0, 0});
  CHECK(counters.steps == 14);
  CHECK(counters.failed_reads == 1);
}

TEST_CASE("soft reads decode on their own engines, and hard reads on those of their channel") {
  FlashDeviceParameters p = soft_device(2, 3000, 2000, 5);
  p.ecc.soft_engines = 2;
  FlashBench bench(p, false, millisecond, "statistical");
  bench.at(0, AccessKind::read, Lpn(30));
  bench.run();
  const FlashBackEnd& back_end = bench.device.back_end();
  CHECK(back_end.ecc_counters(0, ordinary_code).decoded_pages == 3);
  CHECK(back_end.ecc_counters(1, ordinary_code).decoded_pages == 12);
  CHECK(back_end.ecc_counters().failed_decodes == 15);
  CHECK(bench.idle());
}

}  // namespace
}  // namespace nandscape
