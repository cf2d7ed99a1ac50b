// SPDX-License-Identifier: Apache-2.0
// Tests retries that lock their die: which commands they send at which times, that they always release the die and all
// flash ops, and the state of the read when they have ended.
#include "controller/reading/die_locked_retries.h"

#include <algorithm>
#include <memory>

#include "assign_parameters.h"
#include "catch.h"
#include "controller/reading/page_reader.h"
#include "engine_bench.h"
#include "told_recovery.h"

namespace nandscape {
namespace {

using namespace small_times;

constexpr std::uint8_t last_step = 6;
constexpr Tick t_rst = 5 * us;
constexpr Tick prefix = 2 * cycle;  // prefix of each command that reads at a retry step other than 0

FlashDeviceParameters device() {
  FlashDeviceParameters p = small_device();
  p.nand.timing.t_rst_read_us = 5;
  return p;
}

class Bench final : public EngineBench, private controller::ReadListener {
 public:
  explicit Bench(bool pipelined, std::shared_ptr<const controller::ReadTimingTable> timing = nullptr,
                 const controller::BlockAge& age = {})
      : Bench(with_policy(pipelined, timing != nullptr), timing, age) {}
  explicit Bench(const controller::ReadRetryParameters& parameters,
                 std::shared_ptr<const controller::ReadTimingTable> timing = nullptr,
                 const controller::BlockAge& age = {})
      : EngineBench(device()),
        ages(age, 1, mapping.fill, blocks, block_reads, lives),
        reader(parameters, {.steps = last_step, .timing = std::move(timing)}, io, scheduler, blocks, pins, ages),
        reads_(io, *this) {
    reader.set_listener(*this);
    ages.store(age.age_hours);
  }

  // Starts a read of a page. The test must make the first attempt, at step 0, fail.
  void read(controller::Superblock block, std::uint32_t page) {
    reader.start(reads_.acquire(), layout.first_unit(block, page, 0), 0, geometry.page_bytes, calendar.now());
  }

  struct Ended {
    Tick at;
    bool uncorrectable;
    std::uint32_t step;
    std::uint32_t retries;
  };
  std::vector<Ended> ended;
  controller::DriveClock clock{1};
  controller::BlockLives lives{blocks.geometry().blocks(), clock};
  controller::BlockAges ages;
  controller::PageReader reader;
  const controller::DieLockedRetryCounters& counters() const { return reader.counters().locked; }
  // Returns the reads of retry steps, without the first read of each page.
  std::vector<Sent> retries() const {
    std::vector<Sent> found = of(NandOperation::read);
    std::erase_if(found, [](const Sent& s) { return s.command.retry_step == 0; });
    return found;
  }

 private:
  struct Read final : controller::PageRead {
    explicit Read(Bench& owner) : controller::PageRead(owner.reader), bench(owner) {}
    void page_read(Tick now) override {
      bench.ended.push_back({now, ecc.uncorrectable, command.retry_step, retries});
      bench.reads_.release(*this);
    }

    Bench& bench;
  };

  static controller::ReadRetryParameters with_policy(bool pipelined, bool adapts) {
    controller::ReadRetryParameters parameters;
    assign(parameters, {{"pipelined", pipelined ? "true" : "false"}, {"adaptive", adapts ? "true" : "false"}});
    return parameters;
  }
  void block_read(controller::Superblock, std::uint32_t, Tick) override {}
  void page_remade(controller::Superblock, Tick) override { FAIL("there is no parity"); }

  controller::OpPool<Read, Bench> reads_;
};

// The time at which decoding of the first read of a page fails.
constexpr Tick first_failed = read_command + t_read[0] + page_out + decode;

auto fails_below(std::uint8_t good_step) {
  return [good_step](const controller::FlashOp& read) { return read.command.retry_step < good_step; };
}

TEST_CASE("without pipelining, a step is sent when the one before it has failed (equation 3)") {
  Bench bench(false);
  bench.uncorrectable = fails_below(4);
  bench.read(controller::Superblock(3), 0);
  bench.run();
  REQUIRE(bench.ended.size() == 1);
  CHECK_FALSE(bench.ended[0].uncorrectable);
  CHECK(bench.ended[0].step == 4);
  CHECK(bench.ended[0].retries == 4);
  CHECK(bench.ended[0].at == first_failed + 4 * (prefix + read_command + t_read[0] + page_out + decode));
  CHECK(bench.counters().needless_steps == 0);
  CHECK(bench.of(NandOperation::reset).empty());
  CHECK(bench.at_rest());
}

TEST_CASE(
    "with pipelining, a step is sensed while the one before it is decoded, and a needless one is reset (equation 4)") {
  for (std::uint8_t good = 1; good < last_step; ++good) {
    Bench bench(true);
    bench.uncorrectable = fails_below(good);
    bench.read(controller::Superblock(3), 0);
    bench.run();
    REQUIRE(bench.ended.size() == 1);
    CHECK(bench.ended[0].step == good);
    CHECK(bench.ended[0].retries == good);
    // Sensing is the longest stage of the pipeline, so transfer and decoding add to the latency only at the last step.
    const Tick senses = good * t_read[0];
    CHECK(bench.ended[0].at >= first_failed + senses + page_out + decode);
    CHECK(bench.ended[0].at < first_failed + senses + page_out + decode + good * 10 * us);
    CHECK(bench.counters().needless_steps == 1);
    CHECK(bench.of(NandOperation::reset).size() == 1);
    CHECK(bench.at_rest());
  }
}

TEST_CASE("when no step succeeds, the page is uncorrectable and the die is released") {
  const bool pipelined = GENERATE(false, true);
  Bench bench(pipelined);
  bench.uncorrectable = [](const controller::FlashOp&) { return true; };
  bench.read(controller::Superblock(3), 0);
  bench.read(controller::Superblock(4), 0);  // must wait until the die is released
  bench.run();
  REQUIRE(bench.ended.size() == 2);
  for (const Bench::Ended& ended : bench.ended) {
    CHECK(ended.uncorrectable);
    CHECK(ended.retries == last_step);
  }
  CHECK(bench.retries().size() == 2 * last_step);
  CHECK(bench.counters().needless_steps == 0);
  CHECK(bench.at_rest());
}

TEST_CASE("the precharge is shortened for all steps and restored, also when all fail and are repeated") {
  const auto table =
      std::make_shared<const controller::ReadTimingTable>(std::vector<controller::ReadTimingTable::Entry>{
          {.pe_cycles = 1000, .retention_months = 12, .precharge_reduction = 85}});
  const bool pipelined = GENERATE(false, true);
  const bool decodes_shortened = GENERATE(false, true);
  Bench bench(pipelined, table, {.age_hours = 24 * 30, .pe_cycles = 500, .reads_since_program = 0});
  // With the shortened precharge, either no step decodes the page, or step 2 does.
  bench.uncorrectable = [&](const controller::FlashOp& read) {
    const bool shortened = bench.of(NandOperation::set_feature).size() == 1;
    return read.command.retry_step < 2 || (shortened && !decodes_shortened);
  };
  bench.read(controller::Superblock(3), 0);
  bench.run();
  REQUIRE(bench.ended.size() == 1);
  CHECK_FALSE(bench.ended[0].uncorrectable);
  CHECK(bench.ended[0].step == 2);
  const std::vector<EngineBench::Sent> features = bench.of(NandOperation::set_feature);
  REQUIRE(features.size() == 2);
  CHECK(features[0].command.feature_value[0] == 85);
  CHECK(features[1].command.feature_value[0] == 0);
  CHECK(bench.counters().shortened == 1);
  CHECK(bench.counters().fallbacks == (decodes_shortened ? 0 : 1));
  CHECK(bench.at_rest());
}

TEST_CASE("an age beyond the table leaves the precharge unchanged") {
  const auto table =
      std::make_shared<const controller::ReadTimingTable>(std::vector<controller::ReadTimingTable::Entry>{
          {.pe_cycles = 1000, .retention_months = 12, .precharge_reduction = 85}});
  Bench bench(false, table, {.age_hours = 24 * 500, .pe_cycles = 500, .reads_since_program = 0});
  bench.uncorrectable = fails_below(1);
  bench.read(controller::Superblock(3), 0);
  bench.run();
  CHECK(bench.of(NandOperation::set_feature).empty());
  CHECK(bench.counters().shortened == 0);
  CHECK(bench.at_rest());
}

TEST_CASE("the die is free for the next retry tRST after the page is decoded") {
  Bench bench(true);
  bench.uncorrectable = fails_below(1);
  bench.read(controller::Superblock(3), 0);
  bench.read(controller::Superblock(4), 0);
  bench.run();
  REQUIRE(bench.ended.size() == 2);
  const std::vector<EngineBench::Sent> reads = bench.retries();
  const auto second = std::ranges::find_if(reads, [](const auto& s) { return s.command.block == BlockInPlane(4); });
  REQUIRE(second != reads.end());
  CHECK(second->at >= bench.ended[0].at + t_rst);
  CHECK(second->at < bench.ended[0].at + t_rst + us);
  CHECK(bench.at_rest());
}

// Returns a policy that locks the die and pipelines its first `pipelined` retries. Each time the policy is asked for
// the next step, it appends the results of the reads so far to `seen`.
ToldRecovery locking(std::size_t pipelined, std::vector<std::vector<controller::ReadResult>>& seen) {
  return {.needs = {.locks_die = true}, .next = [pipelined, &seen](const controller::PageUnderRecovery& page) {
            auto& results = seen.emplace_back();
            for (const controller::ReadAttempt& attempt : page.attempts) results.push_back(attempt.result);
            const std::size_t n = page.attempts.size();
            if (n > last_step) return std::optional<controller::ReadStep>();
            return std::optional(
                controller::ReadStep{.retry_step = static_cast<int>(n), .pipelined = n > 0 && n <= pipelined});
          }};
}

using controller::ReadResult;
constexpr auto failed = ReadResult::uncorrectable;

TEST_CASE("retries that lock the die and are not pipelined see the result of every read before them") {
  std::vector<std::vector<ReadResult>> seen;
  Bench bench(locking(0, seen).parameters());
  bench.uncorrectable = fails_below(4);
  bench.read(controller::Superblock(3), 0);
  bench.run();
  CHECK(seen == std::vector<std::vector<ReadResult>>{
                    {}, {failed}, {failed, failed}, {failed, failed, failed}, {failed, failed, failed, failed}});
  CHECK(bench.ended.at(0).at == first_failed + 4 * (prefix + read_command + t_read[0] + page_out + decode));
  CHECK(bench.of(NandOperation::reset).empty());
  CHECK(bench.at_rest());
}

TEST_CASE("a policy pipelines some retries, and chooses the later ones by the results of all reads") {
  constexpr auto undecided = ReadResult::undecided;
  std::vector<std::vector<ReadResult>> seen;
  std::vector<ReadResult> told;
  ToldRecovery policy = locking(1, seen);
  policy.succeeded = [&](const controller::PageUnderRecovery& page) {
    for (const controller::ReadAttempt& attempt : page.attempts) told.push_back(attempt.result);
  };
  Bench bench(policy.parameters());
  bench.uncorrectable = fails_below(3);
  bench.read(controller::Superblock(3), 0);
  bench.run();
  // Read 2 is chosen while read 1 is being sensed, so the result of read 1 is still undecided. Read 2 is not pipelined,
  // so read 3 is chosen after both have failed.
  CHECK(seen == std::vector<std::vector<ReadResult>>{{}, {failed}, {failed, undecided}, {failed, failed, failed}});
  CHECK(told == std::vector<ReadResult>{failed, failed, failed, ReadResult::decoded});
  CHECK(bench.ended.at(0).retries == 3);
  CHECK(bench.counters().needless_steps == 0);
  CHECK(bench.at_rest());
}

TEST_CASE("the read that decodes the page may have an undecided one behind it") {
  std::vector<std::vector<ReadResult>> seen;
  std::vector<ReadResult> told;
  ToldRecovery policy = locking(last_step, seen);
  policy.succeeded = [&](const controller::PageUnderRecovery& page) {
    for (const controller::ReadAttempt& attempt : page.attempts) told.push_back(attempt.result);
  };
  Bench bench(policy.parameters());
  bench.uncorrectable = fails_below(2);
  bench.read(controller::Superblock(3), 0);
  bench.run();
  CHECK(told == std::vector<ReadResult>{failed, failed, ReadResult::decoded, ReadResult::undecided});
  CHECK(bench.counters().needless_steps == 1);
  CHECK(bench.at_rest());
}

}  // namespace
}  // namespace nandscape
