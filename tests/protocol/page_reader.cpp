// SPDX-License-Identifier: Apache-2.0
// The page reader alone: which bytes of a page it reads, in which order it tries the steps, and what it reports.
#include "controller/reading/page_reader.h"

#include "assign_parameters.h"
#include "catch.h"
#include "engine_bench.h"

namespace nandscape {
namespace {

using namespace small_times;

constexpr std::uint32_t steps = 5;

class Bench final : public EngineBench, private controller::ReadListener {
 public:
  explicit Bench(const controller::ReadRetryParameters& parameters)
      : EngineBench(small_device()),
        ages({}, 1, mapping.fill, blocks, block_reads, false),
        reader(parameters, {.steps = steps}, io, scheduler, blocks, pins, ages),
        reads_(io, *this) {
    reader.set_listener(*this);
  }

  void read(controller::Ppa page, std::uint32_t first, std::uint32_t end, bool lost = false) {
    Read& read = reads_.acquire();
    read.lost = lost;
    reader.start(read, page, first, end, calendar.now());
  }
  void read_page(controller::Ppa page) { read(page, 0, geometry.page_bytes); }

  std::vector<std::uint32_t> steps_tried() const {
    std::vector<std::uint32_t> tried;
    for (const Sent& s : of(NandOperation::read)) tried.push_back(s.command.retry_step);
    return tried;
  }

  struct Over {
    Tick at;
    bool uncorrectable;
  };
  std::vector<Over> over;
  std::vector<std::uint32_t> reads_counted;
  controller::BlockAges ages;
  controller::PageReader reader;

 private:
  struct Read final : controller::PageRead {
    explicit Read(Bench& owner) : controller::PageRead(owner.reader), bench(owner) {}
    void page_read(Tick now) override {
      bench.over.push_back({now, ecc.uncorrectable});
      bench.reads_.release(*this);
    }

    Bench& bench;
  };

  void block_read(controller::Superblock, std::uint32_t reads, Tick) override { reads_counted.push_back(reads); }
  void page_remade(controller::Superblock, Tick) override { FAIL("there is no parity"); }

  controller::OpPool<Read, Bench> reads_;
};

controller::ReadRetryParameters with_policy(const std::string& policy) {
  controller::ReadRetryParameters parameters;
  parameters.policy = {policy, nullptr};
  return parameters;
}

using Steps = std::vector<std::uint32_t>;

TEST_CASE("only the codewords that hold the requested bytes are read, as a whole") {
  struct {
    std::uint32_t first, end, first_byte, bytes;
  } const wanted[] = {
      {0, 8192, 0, 8192}, {0, 1, 0, 1024}, {1023, 1025, 0, 2048}, {4096, 5120, 4096, 1024}, {8191, 8192, 7168, 1024}};
  for (const auto& w : wanted) {
    Bench bench({});
    bench.read(controller::Ppa(24), w.first, w.end);
    CHECK(bench.blocks.pinned(controller::Superblock(2)));
    bench.run();
    REQUIRE(bench.of(NandOperation::read).size() == 1);
    const NandCommand command = bench.of(NandOperation::read)[0].command;
    CHECK(command.first_byte == w.first_byte);
    CHECK(command.bytes == w.bytes);
    CHECK(bench.at_rest());
  }
}

TEST_CASE("steps are tried from the default levels up, one read per step, until the page is decoded") {
  Bench bench({});
  bench.uncorrectable = [](const controller::FlashOp& read) { return read.command.retry_step < 3; };
  bench.read_page(controller::Ppa(24));
  bench.run();
  CHECK(bench.steps_tried() == Steps{0, 1, 2, 3});
  REQUIRE(bench.over.size() == 1);
  CHECK_FALSE(bench.over[0].uncorrectable);
  constexpr Tick prefix = 2 * cycle;  // of a command at a step other than 0
  CHECK(bench.over[0].at == 4 * (read_command + t_read[0] + page_out + decode) + 3 * prefix);
  CHECK(bench.reader.counters().reads == 1);
  CHECK(bench.reader.counters().retried_reads == 1);
  CHECK(bench.reader.counters().steps == 3);
  CHECK(bench.reader.counters().failed_reads == 0);
  CHECK(bench.reads_counted == std::vector<std::uint32_t>{4});
  CHECK(bench.at_rest());
}

TEST_CASE("a page that fails at every step is uncorrectable, after one read at each") {
  Bench bench({});
  bench.uncorrectable = [](const controller::FlashOp&) { return true; };
  bench.read_page(controller::Ppa(24));
  bench.run();
  CHECK(bench.steps_tried() == Steps{0, 1, 2, 3, 4, 5});
  REQUIRE(bench.over.size() == 1);
  CHECK(bench.over[0].uncorrectable);
  CHECK(bench.reader.counters().failed_reads == 1);
  CHECK(bench.at_rest());
}

TEST_CASE("a page lost with the power is uncorrectable, and no step is tried") {
  Bench bench({});
  bench.programmed = false;
  bench.read_page(controller::Ppa(24));
  bench.run();
  CHECK(bench.steps_tried() == Steps{0});
  CHECK(bench.over.at(0).uncorrectable);
  CHECK(bench.at_rest());
}

TEST_CASE("without retries a page is read once, at its best levels") {
  Bench bench(with_policy("none"));
  bench.uncorrectable = [](const controller::FlashOp&) { return true; };
  bench.read_page(controller::Ppa(24));
  bench.run();
  CHECK(bench.steps_tried() == Steps{best_levels});
  CHECK(bench.over.at(0).uncorrectable);
}

TEST_CASE("data lost before stay lost, even when they are decoded") {
  Bench bench({});
  bench.read(controller::Ppa(24), 0, 1024, true);
  bench.run();
  CHECK(bench.over.at(0).uncorrectable);
  CHECK(bench.at_rest());
}

TEST_CASE("with PSO a page begins at the block's last successful step, until the block is erased") {
  controller::ReadRetryParameters parameters;
  parameters.pso = true;
  Bench bench(parameters);
  bench.uncorrectable = [](const controller::FlashOp& read) { return read.command.retry_step != 2; };
  const auto tried_for_next_page = [&] {
    bench.sent.clear();
    bench.read_page(controller::Ppa(24));
    bench.run();
    return bench.steps_tried();
  };
  CHECK(tried_for_next_page() == Steps{0, 1, 2});
  CHECK(tried_for_next_page() == Steps{2});
  bench.reader.block_erased(controller::Superblock(2), true, bench.calendar.now());
  CHECK(tried_for_next_page() == Steps{0, 1, 2});
}

TEST_CASE("soft reads add sensing levels before they try the next step") {
  controller::ReadRetryParameters parameters;
  assign(parameters, {{"policy", "soft"}, {"most_sensing_levels", "3"}});
  Bench bench(parameters);
  bench.uncorrectable = [](const controller::FlashOp& read) {
    return read.command.retry_step < 1 || read.command.sensing_levels < 2;
  };
  bench.read_page(controller::Ppa(24));
  bench.run();
  std::vector<std::pair<std::uint32_t, std::uint32_t>> attempts;
  for (const EngineBench::Sent& s : bench.of(NandOperation::read)) {
    attempts.emplace_back(s.command.retry_step, s.command.sensing_levels);
  }
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> expected = {{0, 1}, {0, 2}, {0, 3}, {1, 1}, {1, 2}};
  CHECK(attempts == expected);
  CHECK(bench.reader.counters().sensing_levels.reads[0] == 2);
  CHECK(bench.reader.counters().sensing_levels.reads[1] == 2);
  CHECK(bench.reader.counters().sensing_levels.reads[2] == 1);
}

TEST_CASE("the recovery flow learns from its reads, and counts its stages") {
  controller::ReadRetryParameters parameters;
  assign(parameters, {{"policy", "recovery_flow"}, {"hard_retries", "1"}, {"search_stride", "2"}});
  Bench bench(parameters);
  // Step 3 has the fewest errors, and needs seven sensing levels.
  bench.worst_codeword_errors = [](const controller::FlashOp& read) {
    return 100u + 10 * std::abs(static_cast<int>(read.command.retry_step) - 3);
  };
  bench.uncorrectable = [](const controller::FlashOp& read) { return read.command.sensing_levels < 7; };
  for (int pages = 0; pages < 2; ++pages) {
    bench.sent.clear();
    bench.read_page(controller::Ppa(24));
    bench.run();
    std::vector<std::pair<std::uint32_t, std::uint32_t>> attempts;
    for (const EngineBench::Sent& s : bench.of(NandOperation::read)) {
      attempts.emplace_back(s.command.retry_step, s.command.sensing_levels);
    }
    // The default step and the table's first step; a search from the better of both; soft reads at the best step.
    CHECK(attempts == std::vector<std::pair<std::uint32_t, std::uint32_t>>{
                          {0, 1}, {1, 1}, {3, 1}, {5, 1}, {4, 1}, {2, 1}, {3, 3}, {3, 7}});
  }
  controller::RecoveryStagesCounters stages = bench.reader.counters().stages;
  using controller::RecoveryStage;
  CHECK(stages.of(RecoveryStage::first_read).reads == 2);
  CHECK(stages.of(RecoveryStage::hard_retry).reads == 2);
  CHECK(stages.of(RecoveryStage::vref_search).reads == 8);
  CHECK(stages.of(RecoveryStage::soft_2bit).reads == 2);
  CHECK(stages.of(RecoveryStage::soft_2bit).pages == 0);
  CHECK(stages.of(RecoveryStage::soft_3bit).reads == 2);
  CHECK(stages.of(RecoveryStage::soft_3bit).pages == 2);
  CHECK(bench.at_rest());
}

TEST_CASE("retries that lock the die are delegated, and return the page") {
  controller::ReadRetryParameters parameters;
  assign(parameters, {{"pipelined", "true"}});
  Bench bench(parameters);
  bench.uncorrectable = [](const controller::FlashOp& read) { return read.command.retry_step < 3; };
  bench.read_page(controller::Ppa(24));
  bench.run();
  CHECK_FALSE(bench.over.at(0).uncorrectable);
  CHECK(bench.reader.counters().steps == 3);
  CHECK(bench.reader.counters().locked.needless_steps == 1);
  CHECK(bench.at_rest());
}

}  // namespace
}  // namespace nandscape
