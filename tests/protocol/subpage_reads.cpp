// SPDX-License-Identifier: Apache-2.0
// Tests reads of several subpages in one operation: their latency in closed form, the retries of reads that fail, and
// the data of random accesses.
#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include "catch.h"
#include "platform/config/configuration.h"
#include "random_accesses.h"
#include "small_device.h"

namespace nandscape {
namespace {

// Returns a device with one die of one plane. Each page has four mapping units, and each unit is a subpage. Bus times
// other than data transfers are zero.
FlashDeviceParameters device(const std::string& subpage_reads, const std::vector<std::string>& more = {}) {
  std::vector<std::string> assignments = {
      "nand.condition.pe_cycles=0",
      "nand.condition.retention_days=0",
      "channel.count=1",
      "nand.geometry.chips_per_channel=1",
      "nand.geometry.planes_per_die=1",
      "nand.geometry.blocks_per_plane=40",
      "controller.mapping.over_provisioning=0.9",
      "controller.mapping.unit_bytes=4096",
      "channel.t_cycle_ns=0",
      "channel.t_wb_ns=0",
      "channel.t_rr_ns=0",
      "channel.t_adl_ns=0",
      "channel.t_preamble_ns=0",
      "channel.t_postamble_ns=0",
      "channel.t_dbsy_ns=500",
      "controller.subpages.reads=" + subpage_reads,
  };
  assignments.insert(assignments.end(), more.begin(), more.end());
  std::vector<Override> overrides;
  for (const std::string& assignment : assignments) overrides.push_back(parse_override(assignment));
  return load_configuration("retry_tlc_512g", overrides).parameters;
}

// Returns a device whose preconditioned data have more errors than the code corrects, at all `retry_steps` steps of the
// retry table.
FlashDeviceParameters old_device(const std::string& subpage_reads, std::uint32_t retry_steps,
                                 const std::vector<std::string>& more = {}) {
  std::vector<std::string> old = {
      "nand.condition.pe_cycles=3000",
      "nand.condition.retention_days=3000",
      "nand.cells.read_levels.retry_steps=" + std::to_string(retry_steps),
  };
  old.insert(old.end(), more.begin(), more.end());
  return device(subpage_reads, old);
}

const std::vector<std::string> soft_decoder = {"ecc.codec=ldpc", "ecc.decoder=table", "ecc.codeword_bytes=4096",
                                               "nand.geometry.spare_bytes=2208"};

constexpr Tick us = microsecond;
constexpr Tick t_dbsy = 500 * nanosecond;
constexpr Tick t_out = 4096 * nanosecond;
constexpr Tick t_ecc = 20 * us;
constexpr Tick t_r[] = {78 * us, 117 * us, 78 * us};  // by page type
constexpr Tick whole_page = t_r[0] + 4 * t_out;       // tR and data-out of a page of the first type

struct Subpages : FlashBench {
  explicit Subpages(const FlashDeviceParameters& p, const std::string& cells = "ideal")
      : FlashBench(p, false, millisecond, cells), pages_per_block(p.nand.geometry.pages_per_block) {
    for (std::uint64_t k = 0; k < 4; ++k) at(0, AccessKind::write, Lpn(k));
  }

  // Returns a preconditioned unit at the given position of a page of the given type.
  Lpn find(std::uint64_t position, std::uint64_t block, std::uint64_t type) const {
    for (std::uint64_t k = 4; k < device.ftl().logical_pages(); ++k) {
      const std::uint64_t unit = device.ftl().initial_fill().find(Lpn(k)).value;
      const std::uint64_t page = unit / 4;
      if (unit % 4 == position && page / pages_per_block == block && page % pages_per_block % 3 == type) return Lpn(k);
    }
    throw std::logic_error("no unit lies there");
  }
  // Keeps the die busy from `time` on, by reading a whole page that was written recently.
  void keep_busy(Tick time) {
    for (std::uint64_t k = 0; k < 4; ++k) at(time, AccessKind::read, Lpn(k));
  }

  const std::uint64_t pages_per_block;
};

constexpr Tick start = 10 * millisecond;
// Returns the time at which the die becomes free. An operation that locks the die (`soml`) occupies it until the page
// is decoded.
Tick free_at(const std::string& subpage_reads) { return start + whole_page + (subpage_reads == "soml" ? t_ecc : 0); }
constexpr Tick meanwhile = start + 10 * us;

TEST_CASE(
    "subpages of one operation take the time of the one with most senses, and are transferred one after another") {
  const std::string subpage_reads = GENERATE("soml", "srs");
  Subpages bench(device(subpage_reads));
  bench.keep_busy(start);
  std::vector<FlashBench::Request*> reads;
  for (std::uint64_t k = 0; k < 4; ++k) {
    reads.push_back(&bench.at(meanwhile, AccessKind::read, bench.find(3 - k, k, k == 2 ? 1 : 0)));
  }
  bench.run();
  const Tick started = free_at(subpage_reads) + 3 * t_dbsy;
  for (Tick k = 0; k < 4; ++k) CHECK(reads[k]->completed == started + t_r[1] + (k + 1) * t_out + t_ecc);
  CHECK(bench.device.ftl().counters().scheduler.locations == 1 + 4);
  CHECK(bench.device.ftl().counters().scheduler.subpages == 4 + 4);
  CHECK(bench.idle());
}

// Reproduces Figure 3 of Nie et al.: A and C are read in one operation. A is decoded at the first attempt, C is not,
// and B must wait for the retries of C.
TEST_CASE("a decoded subpage completes, and the die waits for the others of its operation") {
  const Tick steps = GENERATE(1, 2);
  Subpages bench(old_device("soml", static_cast<std::uint32_t>(steps)), "statistical");
  bench.keep_busy(start);
  const auto& a = bench.at(meanwhile, AccessKind::read, Lpn(1));
  const auto& c = bench.at(meanwhile, AccessKind::read, bench.find(2, 5, 1));
  // B is in the same block as A, so it cannot join the operation of A
  const auto& b = bench.at(meanwhile + us, AccessKind::read, Lpn(2));
  const auto& d = bench.at(meanwhile + 2 * us, AccessKind::read, bench.find(3, 6, 0));
  bench.run();
  const Tick first_round = free_at("soml") + 2 * t_dbsy + t_r[1];
  CHECK(a.completed == first_round + t_out + t_ecc);
  // C and D, which have both failed, are retried together. No other read joins them.
  const Tick first_failed = first_round + 3 * t_out + t_ecc;
  const Tick round = t_dbsy + t_r[1] + 2 * t_out + t_ecc;
  CHECK(c.completed == first_failed + steps * round - t_out);
  CHECK(d.completed == first_failed + steps * round);
  CHECK(b.completed == d.completed + t_r[0] + t_out + t_ecc);
  CHECK(a.access.status == AccessStatus::ok);
  CHECK(b.access.status == AccessStatus::ok);
  CHECK(c.access.status == AccessStatus::unrecovered_read_error);
  CHECK(d.access.status == AccessStatus::unrecovered_read_error);
  CHECK(bench.idle());
}

// Reproduces example 2 of Figure 4 of Nie et al.: B is read while C is being decoded, and does not wait for the retries
// of C.
TEST_CASE("retries do not lock their die, and waiting reads are combined with them") {
  Subpages bench(old_device("srs", 1), "statistical");
  bench.keep_busy(start);
  const auto& a = bench.at(meanwhile, AccessKind::read, Lpn(1));
  const auto& c = bench.at(meanwhile, AccessKind::read, bench.find(2, 5, 1));
  const auto& b = bench.at(meanwhile + us, AccessKind::read, Lpn(2));
  const Tick first_free = free_at("srs") + t_dbsy + t_r[1] + 2 * t_out;
  const Tick second_free = first_free + t_r[0] + t_out;
  // D arrives while B is being read, and is combined with the retry of C.
  const auto& d = bench.at(first_free + 50 * us, AccessKind::read, Lpn(3));
  bench.run();
  CHECK(a.completed == first_free - t_out + t_ecc);
  CHECK(b.completed == second_free + t_ecc);
  CHECK(c.completed == second_free + t_dbsy + t_r[1] + t_out + t_ecc);
  CHECK(d.completed == c.completed + t_out);
  CHECK(c.access.status == AccessStatus::unrecovered_read_error);
  CHECK(bench.idle());
}

TEST_CASE("a read combined with a retry is sensed at as many levels, from its first read on") {
  std::vector<std::string> soft = {"controller.read_retry.policy=soft", "controller.read_retry.most_sensing_levels=3"};
  soft.insert(soft.end(), soft_decoder.begin(), soft_decoder.end());
  Subpages bench(old_device("srs", 0, soft), "statistical");
  // The data are so old that they cannot be read with any number of sensing levels.
  const auto& c = bench.at(start, AccessKind::read, bench.find(2, 5, 1));
  const auto& d = bench.at(start + 10 * us, AccessKind::read, bench.find(3, 6, 0));
  const auto& e = bench.at(start + 200 * us, AccessKind::read, bench.find(1, 7, 0));
  bench.run();
  // The die reads C, and then D while C is decoded. It then reads C and E at two levels, D at two levels while C and E
  // are decoded, and finally C and E at three levels.
  const Tick each_alone = t_r[1] + t_out + t_r[0] + t_out;
  const Tick at_two = t_dbsy + 2 * t_r[1] + 2 * 2 * t_out;
  const Tick d_at_two = 2 * t_r[0] + 2 * t_out;
  const Tick at_three = t_dbsy + 3 * t_r[1] + 2 * 2 * t_out;
  CHECK(e.completed == start + each_alone + at_two + d_at_two + at_three + t_ecc);
  CHECK(c.completed == e.completed - 2 * t_out);
  CHECK(d.completed == e.completed - t_ecc + 3 * t_r[0] + 2 * t_out + t_ecc);
  const controller::ReadRetryCounters counters = bench.device.ftl().counters().read_retry;
  CHECK(counters.sensing_levels.reads == std::array<std::uint64_t, 7>{2, 3, 3, 0, 0, 0, 0});
  CHECK(counters.failed_reads == 3);
}

TEST_CASE("retries that lock their die do so after their operation") {
  const std::string keys = GENERATE("pipelined", "adaptive", "both");
  std::vector<std::string> retries;
  if (keys != "adaptive") retries.emplace_back("controller.read_retry.pipelined=true");
  if (keys != "pipelined") retries.emplace_back("controller.read_retry.adaptive=true");
  const std::string subpage_reads = GENERATE("soml", "srs");
  FlashDeviceParameters p = old_device(subpage_reads, 3, retries);
  Subpages bench(p, "statistical");
  bench.keep_busy(start);
  const auto& a = bench.at(meanwhile, AccessKind::read, Lpn(1));
  const auto& c = bench.at(meanwhile, AccessKind::read, bench.find(2, 5, 1));
  const auto& d = bench.at(meanwhile, AccessKind::read, bench.find(3, 6, 0));
  bench.run();
  const Tick first_round = free_at(subpage_reads) + 2 * t_dbsy + t_r[1];
  CHECK(a.completed == first_round + t_out + t_ecc);
  CHECK(c.access.status == AccessStatus::unrecovered_read_error);
  CHECK(d.completed > c.completed);
  CHECK(bench.device.ftl().counters().scheduler.multi_location_operations == 2);
  CHECK(bench.device.ftl().counters().read_retry.failed_reads == 2);
  CHECK(bench.idle());
}

void check_random_accesses(FlashBench& bench, int count) {
  RandomAccesses accesses(bench, 7, count, 32);
  accesses.late_reads = true;
  bench.run();
  CHECK(bench.idle());
  accesses.verify();
  CHECK(bench.idle());
}

// In this device, preconditioned data are old and have many errors. Data that the host writes have few errors.
TEST_CASE("random accesses to old pages find their data, too") {
  const std::string retry = GENERATE("policy=none", "policy=regular", "policy=soft", "pipelined=true");
  const std::string subpage_reads = GENERATE("soml", "srs");
  const std::string suspend = GENERATE("none", "program_erase");
  CAPTURE(subpage_reads, retry, suspend);
  std::vector<std::string> old = {
      "nand.geometry.pages_per_block=12",        "nand.condition.pe_cycles=0",
      "nand.condition.retention_days=10",        "controller.read_retry." + retry,
      "controller.scheduler.suspend=" + suspend,
  };
  if (retry == "policy=soft") old.insert(old.end(), soft_decoder.begin(), soft_decoder.end());
  const FlashDeviceParameters p = device(subpage_reads, old);
  FlashBench bench(p, true, millisecond, "statistical");
  check_random_accesses(bench, 4'000);
  const controller::ControllerCounters counters = bench.device.ftl().counters();
  CHECK((counters.read_retry.retried_reads > 300) == (retry != "policy=none"));
  CHECK(counters.scheduler.locations > counters.scheduler.multi_location_operations);
  CHECK((counters.scheduler.suspends > 0) == (suspend != "none"));
  CHECK(counters.collection.victims > 0);
}

// Returns a device that is preconditioned completely with fullpages. Each fullpage is spread over four layers.
FlashDeviceParameters layered_device(const std::string& subpage_reads, const std::vector<std::string>& more = {}) {
  std::vector<std::string> layered = {
      "controller.fullpages.allocation=fpa",
      "controller.mapping.over_provisioning=2",
      "controller.precondition.occupancy=1",
      "controller.precondition.distribution=scattered",
      "controller.precondition.order=sequential",
      "controller.precondition.invalid_page_ratio=0",
      "controller.fullpages.precondition_percent=100",
      "nand.geometry.first_layer=by_block",
      "nand.geometry.blocks_per_plane=64",
  };
  layered.insert(layered.end(), soft_decoder.begin(), soft_decoder.end());
  layered.insert(layered.end(), more.begin(), more.end());
  return device(subpage_reads, layered);
}

TEST_CASE("other reads of the same command precede those of other commands") {
  Subpages bench(device(GENERATE("soml", "srs")));
  bench.keep_busy(start);
  auto& first = bench.at(meanwhile, AccessKind::read, bench.find(0, 3, 0));
  auto& other = bench.at(meanwhile, AccessKind::read, bench.find(1, 4, 0));
  auto& besides = bench.at(meanwhile, AccessKind::read, bench.find(1, 5, 0));
  first.access.request = besides.access.request = 7;
  other.access.request = 8;
  bench.run();
  CHECK(besides.completed == first.completed + t_out);
  CHECK(other.completed > besides.completed);
  CHECK(bench.idle());
}

TEST_CASE("a fullpage over four layers is read in one operation, and a weak subpage together with its lender") {
  Subpages bench(layered_device(GENERATE("soml", "srs")));
  // These units are in the second row, whose pages are of the second type.
  const FlashBench::Request* whole[4];
  for (std::uint64_t k = 0; k < 4; ++k) whole[k] = &bench.at(start, AccessKind::read, Lpn(16 + k));
  const Tick later = start + 10 * millisecond;
  const auto& weak = bench.at(later, AccessKind::read, Lpn(23));
  const Tick last = later + 10 * millisecond;
  const auto& strong = bench.at(last, AccessKind::read, Lpn(22));
  bench.run();
  for (Tick k = 0; k < 4; ++k) CHECK(whole[k]->completed == start + 3 * t_dbsy + t_r[1] + (k + 1) * t_out + t_ecc);
  CHECK(weak.completed == later + t_dbsy + t_r[1] + 2 * t_out + t_ecc);
  CHECK(strong.completed == last + t_r[1] + t_out + t_ecc);
  CHECK(bench.device.ftl().counters().fullpages.lone_reads == 1);
  CHECK(bench.idle());
}

TEST_CASE("random accesses find their data in fullpages over layers, with collection and failures") {
  const std::string subpage_reads = GENERATE("soml", "srs");
  const std::string policy = GENERATE("regular", "soft");
  const bool locks_die = policy == "regular" && GENERATE(false, true);
  const std::string suspend = GENERATE("none", "program_erase");
  CAPTURE(subpage_reads, policy, locks_die, suspend);
  std::vector<std::string> keys = {"nand.geometry.planes_per_die=2",
                                   "nand.geometry.pages_per_block=12",
                                   "nand.condition.pe_cycles=0",
                                   "nand.condition.retention_days=10",
                                   "nand.cells.failures.program_failure=0.002",
                                   "controller.read_retry.policy=" + policy,
                                   "controller.scheduler.suspend=" + suspend};
  if (locks_die)
    keys.insert(keys.end(), {"controller.read_retry.pipelined=true", "controller.read_retry.adaptive=true"});
  const FlashDeviceParameters p = layered_device(subpage_reads, keys);
  FlashBench bench(p, true, millisecond, "statistical");
  check_random_accesses(bench, 6'000);
  const controller::ControllerCounters counters = bench.device.ftl().counters();
  CHECK(counters.fullpages.lone_reads > 100);
  CHECK(counters.collection.victims > 0);
}

TEST_CASE("random accesses find their data in whole pages and subpages, with collection and suspended programs") {
  FlashDeviceParameters p = tiny_device({1, 1, 1, 2, 16, 12});
  p.controller.mapping.unit_bytes = 512;
  p.ecc.codeword_bytes = 512;
  p.controller.mapping.over_provisioning = 1.0;
  p.controller.subpages.reads = GENERATE(controller::SubpageReads::soml, controller::SubpageReads::srs);
  p.controller.scheduler.cache_read = GENERATE(false, true);
  p.controller.scheduler.policy.name = GENERATE("out_of_order", "fifo", "read_first", "priority", "flin");
  CAPTURE(p.controller.scheduler.cache_read, p.controller.scheduler.policy.name);
  check_integrity(p, 6, 10'000, 32);
}

}  // namespace
}  // namespace nandscape
