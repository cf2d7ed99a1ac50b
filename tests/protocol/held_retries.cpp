// SPDX-License-Identifier: Apache-2.0
// Retries that hold their die, by themselves: which commands they send and when, that the die and all transactions are
// given back however they end, and what the read holds then.
#include "controller/reading/held_retries.h"

#include <algorithm>

#include "catch.h"
#include "engine_bench.h"

namespace nandscape {
namespace {

using namespace small_times;

constexpr std::uint8_t last_step = 6;
constexpr Tick t_rst = 5 * us;
constexpr Tick prefix = 2 * cycle;  // of a command at another step than 0

FlashDeviceParameters device() {
  FlashDeviceParameters p = small_device();
  p.nand.timing.t_rst_read_us = 5;
  return p;
}

class Bench final : public EngineBench, private HeldRetries::Client {
 public:
  explicit Bench(bool pipelined, const ReadTimingTable* timing = nullptr)
      : EngineBench(device(), {}), retries(io, scheduler, *this, counters, pipelined, timing) {}

  // A page has failed at step 0; its read goes on with the others.
  FlashTransaction& retry(BlockId block, std::uint32_t page) {
    FlashTransaction& read = io.acquire(Purpose::host_read);
    read.block = block;
    read.ppn = layout.first_unit(block, page, 0);
    FlashIo::set_address(read, layout.find(read.ppn));
    read.command.operation = NandOperation::read;
    read.command.bytes = geometry.page_bytes;
    read.ecc.uncorrectable = true;
    read.retry_order = RetryOrder(0, last_step);
    static_cast<void>(read.retry_order.next());
    retries.start(read, calendar.now());
    return read;
  }

  struct Ended {
    Tick at;
    bool uncorrectable;
    std::uint32_t step;
    std::uint32_t retries;
  };
  std::vector<Ended> ended;
  BlockAge age;
  HeldRetryCounters counters;
  HeldRetries retries;

 private:
  BlockAge age_of(BlockId, Tick) const override { return age; }
  void retry_ended(FlashTransaction& read, Tick now) override {
    ended.push_back({now, read.ecc.uncorrectable, read.command.retry_step, read.retries});
    io.release(read);
  }
  void session_opened(FlashTransaction& read, Tick now) override { retries.session_opened(read, now); }
  void done(FlashTransaction& command, Tick now) override { retries.done(command, now); }
  void decoded(FlashTransaction& step, Tick now) override { retries.decoded(step, now); }
};

auto fails_below(std::uint8_t good_step) {
  return [good_step](const FlashTransaction& read) { return read.command.retry_step < good_step; };
}

TEST_CASE("step by step, each is sent when the one before it has failed (equation 3)") {
  Bench bench(false);
  bench.uncorrectable = fails_below(4);
  bench.retry(BlockId(3), 0);
  bench.run();
  REQUIRE(bench.ended.size() == 1);
  CHECK_FALSE(bench.ended[0].uncorrectable);
  CHECK(bench.ended[0].step == 4);
  CHECK(bench.ended[0].retries == 3);
  CHECK(bench.ended[0].at == 4 * (prefix + read_command + t_read[0] + page_out + decode));
  CHECK(bench.counters.needless_steps == 0);
  CHECK(bench.of(NandOperation::reset).empty());
  CHECK(bench.at_rest());
}

TEST_CASE(
    "pipelined, a step is sensed while the one before it is decoded, and the needless one is reset (equation 4)") {
  for (std::uint8_t good = 1; good < last_step; ++good) {
    Bench bench(true);
    bench.uncorrectable = fails_below(good);
    bench.retry(BlockId(3), 0);
    bench.run();
    REQUIRE(bench.ended.size() == 1);
    CHECK(bench.ended[0].step == good);
    CHECK(bench.ended[0].retries == good - 1u);
    // Sensing is the longest stage: the others show once, for the last step.
    const Tick senses = good * t_read[0];
    CHECK(bench.ended[0].at >= senses + page_out + decode);
    CHECK(bench.ended[0].at < senses + page_out + decode + good * 10 * us);
    CHECK(bench.counters.needless_steps == 1);
    CHECK(bench.of(NandOperation::reset).size() == 1);
    CHECK(bench.at_rest());
  }
}

TEST_CASE("when no step succeeds, the page is uncorrectable and the die is given back") {
  const bool pipelined = GENERATE(false, true);
  Bench bench(pipelined);
  bench.uncorrectable = [](const FlashTransaction&) { return true; };
  bench.retry(BlockId(3), 0);
  bench.retry(BlockId(4), 0);  // waits for the die
  bench.run();
  REQUIRE(bench.ended.size() == 2);
  for (const Bench::Ended& ended : bench.ended) {
    CHECK(ended.uncorrectable);
    CHECK(ended.retries == last_step);
  }
  CHECK(bench.of(NandOperation::read).size() == 2 * last_step);
  CHECK(bench.counters.needless_steps == 0);
  CHECK(bench.at_rest());
}

TEST_CASE("the precharge is shortened for all steps and set back, also where all fail and are tried once more") {
  const ReadTimingTable table({{.pe_cycles = 1000, .retention_months = 12, .precharge_reduction = 85}});
  const bool pipelined = GENERATE(false, true);
  const bool decodes_shortened = GENERATE(false, true);
  Bench bench(pipelined, &table);
  bench.age = {.age_hours = 24 * 30, .pe_cycles = 500, .reads_since_program = 0};
  // With the shortened precharge no step succeeds, or step 2 does.
  bench.uncorrectable = [&](const FlashTransaction& read) {
    const bool shortened = bench.of(NandOperation::set_feature).size() == 1;
    return read.command.retry_step < 2 || (shortened && !decodes_shortened);
  };
  bench.retry(BlockId(3), 0);
  bench.run();
  REQUIRE(bench.ended.size() == 1);
  CHECK_FALSE(bench.ended[0].uncorrectable);
  CHECK(bench.ended[0].step == 2);
  const std::vector<EngineBench::Sent> features = bench.of(NandOperation::set_feature);
  REQUIRE(features.size() == 2);
  CHECK(features[0].command.feature_value[0] == 85);
  CHECK(features[1].command.feature_value[0] == 0);
  CHECK(bench.counters.shortened == 1);
  CHECK(bench.counters.fallbacks == (decodes_shortened ? 0 : 1));
  CHECK(bench.at_rest());
}

TEST_CASE("an age beyond the table leaves the precharge as it is") {
  const ReadTimingTable table({{.pe_cycles = 1000, .retention_months = 12, .precharge_reduction = 85}});
  Bench bench(false, &table);
  bench.age = {.age_hours = 24 * 500, .pe_cycles = 500, .reads_since_program = 0};
  bench.retry(BlockId(3), 0);
  bench.run();
  CHECK(bench.of(NandOperation::set_feature).empty());
  CHECK(bench.counters.shortened == 0);
  CHECK(bench.at_rest());
}

TEST_CASE("the die is free for the next retry tRST after the page is decoded") {
  Bench bench(true);
  bench.retry(BlockId(3), 0);
  bench.retry(BlockId(4), 0);
  bench.run();
  REQUIRE(bench.ended.size() == 2);
  const std::vector<EngineBench::Sent> reads = bench.of(NandOperation::read);
  const auto second = std::ranges::find_if(reads, [](const auto& s) { return s.command.block == 4; });
  REQUIRE(second != reads.end());
  CHECK(second->at >= bench.ended[0].at + t_rst);
  CHECK(second->at < bench.ended[0].at + t_rst + us);
  CHECK(bench.at_rest());
}

}  // namespace
}  // namespace nandscape
