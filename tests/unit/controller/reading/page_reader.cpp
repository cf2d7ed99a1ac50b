// SPDX-License-Identifier: Apache-2.0
// The page reader alone: which bytes of a page it reads, in which order it tries the steps, and what it reports.
#include "controller/reading/page_reader.h"

#include "assign_parameters.h"
#include "catch.h"
#include "fakes/fake_drive.h"

namespace nandscape::controller {
namespace {

// Unit 0 is the only one that is written.
struct Bench final : FakeDrive {
  explicit Bench(const ReadRetryParameters& p)
      : reader(p, {.steps = 5}, reading.io, reading.scheduler, mapping.blocks, mapping.pins, mapping.ages) {
    reader.set_listener(*this);
    page = write(0);
    flash.sent.clear();
  }
  void block_read(Superblock, std::uint32_t reads, Tick) override { reads_counted.push_back(reads); }

  // Returns whether the page is uncorrectable.
  bool read(Ppa place, std::uint32_t first = 0, std::uint32_t end = 4096, bool lost = false) {
    Read read(reader);
    read.lost = lost;
    run(read, reading.io, reader, place, first, end);
    CHECK_FALSE(mapping.blocks.pinned(read.block));
    return read.ecc.uncorrectable;
  }

  using Steps = std::vector<std::uint32_t>;
  Steps steps_tried() const {
    Steps tried;
    for (const NandCommand& command : flash.sent) tried.push_back(command.retry_step);
    return tried;
  }
  // The retry step and the sensing levels of each read.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> attempts() const {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
    for (const NandCommand& command : flash.sent) found.emplace_back(command.retry_step, command.sensing_levels);
    return found;
  }

  PageReader reader;
  Ppa page;
  std::vector<std::uint32_t> reads_counted;
};

using Steps = Bench::Steps;

ReadRetryParameters with_policy(const std::string& policy) {
  ReadRetryParameters parameters;
  parameters.policy = {policy, nullptr};
  return parameters;
}

TEST_CASE("only the codewords that hold the requested bytes are read, as a whole") {
  struct {
    std::uint32_t first, end, first_byte, bytes;
  } const wanted[] = {
      {0, 4096, 0, 4096}, {0, 1, 0, 1024}, {1023, 1025, 0, 2048}, {2048, 3072, 2048, 1024}, {4095, 4096, 3072, 1024}};
  for (const auto& w : wanted) {
    Bench bench({});
    bench.flash.begins = [&](ChannelId, const NandCommand&) { CHECK(bench.mapping.blocks.pinned(bench.block(0))); };
    bench.read(bench.page, w.first, w.end);
    REQUIRE(bench.flash.sent.size() == 1);
    CHECK(bench.flash.sent[0].first_byte == w.first_byte);
    CHECK(bench.flash.sent[0].bytes == w.bytes);
  }
}

TEST_CASE("steps are tried from the default levels up, one read per step, until the page is decoded") {
  Bench bench({});
  bench.ecc.uncorrectable = [](const FlashOp& read) { return read.command.retry_step < 3; };
  CHECK_FALSE(bench.read(bench.page));
  CHECK(bench.steps_tried() == Steps{0, 1, 2, 3});
  CHECK(bench.reader.counters().reads == 1);
  CHECK(bench.reader.counters().retried_reads == 1);
  CHECK(bench.reader.counters().steps == 3);
  CHECK(bench.reader.counters().failed_reads == 0);
  CHECK(bench.reads_counted == std::vector<std::uint32_t>{4});
}

TEST_CASE("a page that fails at every step is uncorrectable, after one read at each") {
  Bench bench({});
  bench.ecc.uncorrectable = [](const FlashOp&) { return true; };
  CHECK(bench.read(bench.page));
  CHECK(bench.steps_tried() == Steps{0, 1, 2, 3, 4, 5});
  CHECK(bench.reader.counters().failed_reads == 1);
}

TEST_CASE("a page lost with the power is uncorrectable, and no step is tried") {
  Bench bench({});
  bench.flash.pages.clear();
  CHECK(bench.read(bench.page));
  CHECK(bench.steps_tried() == Steps{0});
}

TEST_CASE("without retries a page is read once, at its best levels") {
  Bench bench(with_policy("none"));
  bench.ecc.uncorrectable = [](const FlashOp&) { return true; };
  CHECK(bench.read(bench.page));
  CHECK(bench.steps_tried() == Steps{best_levels});
}

TEST_CASE("data lost before stay lost, even when they are decoded") {
  Bench bench({});
  CHECK(bench.read(bench.page, 0, 1024, true));
}

TEST_CASE("with PSO a page begins at the block's last successful step, until the block is erased") {
  ReadRetryParameters parameters;
  parameters.pso = true;
  Bench bench(parameters);
  bench.ecc.uncorrectable = [](const FlashOp& read) { return read.command.retry_step != 2; };
  const auto tried_for_next_page = [&] {
    bench.flash.sent.clear();
    bench.read(bench.page);
    return bench.steps_tried();
  };
  CHECK(tried_for_next_page() == Steps{0, 1, 2});
  CHECK(tried_for_next_page() == Steps{2});
  bench.reader.block_erased(bench.block(0), true, bench.calendar.now());
  CHECK(tried_for_next_page() == Steps{0, 1, 2});
}

TEST_CASE("soft reads add sensing levels before they try the next step") {
  ReadRetryParameters parameters;
  assign(parameters, {{"policy", "soft"}, {"most_sensing_levels", "3"}});
  Bench bench(parameters);
  bench.ecc.uncorrectable = [](const FlashOp& read) {
    return read.command.retry_step < 1 || read.command.sensing_levels < 2;
  };
  bench.read(bench.page);
  CHECK(bench.attempts() ==
        std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 1}, {0, 2}, {0, 3}, {1, 1}, {1, 2}});
  CHECK(bench.reader.counters().sensing_levels.reads[0] == 2);
  CHECK(bench.reader.counters().sensing_levels.reads[1] == 2);
  CHECK(bench.reader.counters().sensing_levels.reads[2] == 1);
}

TEST_CASE("the recovery flow learns from its reads, and counts its stages") {
  ReadRetryParameters parameters;
  assign(parameters, {{"policy", "recovery_flow"}, {"hard_retries", "1"}, {"search_stride", "2"}});
  Bench bench(parameters);
  // Step 3 has the fewest errors, and needs seven sensing levels.
  bench.ecc.worst_errors = [](const FlashOp& read) {
    return 100u + 10 * std::abs(static_cast<int>(read.command.retry_step) - 3);
  };
  bench.ecc.uncorrectable = [](const FlashOp& read) { return read.command.sensing_levels < 7; };
  for (int pages = 0; pages < 2; ++pages) {
    bench.flash.sent.clear();
    bench.read(bench.page);
    // The default step and the table's first step; a search from the better of both; soft reads at the best step.
    CHECK(bench.attempts() == std::vector<std::pair<std::uint32_t, std::uint32_t>>{
                                  {0, 1}, {1, 1}, {3, 1}, {5, 1}, {4, 1}, {2, 1}, {3, 3}, {3, 7}});
  }
  RecoveryStagesCounters stages = bench.reader.counters().stages;
  CHECK(stages.of(RecoveryStage::first_read).reads == 2);
  CHECK(stages.of(RecoveryStage::hard_retry).reads == 2);
  CHECK(stages.of(RecoveryStage::vref_search).reads == 8);
  CHECK(stages.of(RecoveryStage::soft_2bit).reads == 2);
  CHECK(stages.of(RecoveryStage::soft_2bit).pages == 0);
  CHECK(stages.of(RecoveryStage::soft_3bit).reads == 2);
  CHECK(stages.of(RecoveryStage::soft_3bit).pages == 2);
}

}  // namespace
}  // namespace nandscape::controller
