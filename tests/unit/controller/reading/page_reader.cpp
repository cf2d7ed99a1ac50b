// SPDX-License-Identifier: Apache-2.0
// Tests the page reader alone: which bytes of a page it reads, in which order it tries the retry steps, and what it
// reports to its counters and to the read recovery policy.
#include "controller/reading/page_reader.h"

#include "assign_parameters.h"
#include "catch.h"
#include "fakes/fake_drive.h"
#include "random_policies.h"
#include "told_recovery.h"

namespace nandscape::controller {
namespace {

constexpr std::uint32_t steps = 5;

// Two planes of 20 blocks. Each block has four wordlines.
constexpr Geometry more_blocks = {
    .planes_per_die = 2, .blocks_per_plane = 20, .pages_per_block = 12, .page_bytes = 4096, .spare_bytes = 512};

// A drive with a page reader under test, in which only unit 0 is written.
struct Bench final : FakeDrive {
  explicit Bench(const ReadRetryParameters& p, const Geometry& flash_geometry = one_plane)
      : FakeDrive(flash_geometry),
        reader(p, {.steps = steps}, reading.io, reading.scheduler, mapping.blocks, mapping.pins, mapping.ages) {
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
  // Programs the pages at these addresses, and then reads them all at the same time.
  void read_together(const std::vector<Ppa>& places) {
    const std::size_t in_use = reading.io.in_use();
    std::deque<Read> reads;
    for (const Ppa place : places) {
      flash.pages.try_emplace(FakeFlash::address(mapping.layout.find(place)));
      Read& read = reads.emplace_back(reader);
      reading.io.lend_buffer(read);
      reader.start(read, place, 0, 4096, calendar.now());
    }
    run();
    for (Read& read : reads) {
      CHECK(read.ends == 1);
      reading.io.give_buffer_back(read);
    }
    CHECK(reading.io.in_use() == in_use);
    for (const Ppa place : places) CHECK_FALSE(mapping.blocks.pinned(mapping.layout.block_of(place)));
  }

  using Steps = std::vector<std::uint32_t>;
  Steps steps_tried() const {
    Steps tried;
    for (const NandCommand& command : flash.sent) tried.push_back(command.retry_step);
    return tried;
  }
  // Returns the retry step and the number of sensing levels of each read.
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
  parameters.start = {"last_of_block_and_layer", nullptr};
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

TEST_CASE("PSO does not remember the last step of a page that was rebuilt from others") {
  struct Rebuilt final : LastResort {
    explicit Rebuilt(FlashIo& flash_io) : io(flash_io) {}
    bool goes_on(PageRead& read, Tick) override {
      if (read.remade != nullptr) return false;
      read.remade = &page;
      read.ecc.uncorrectable = false;
      io.decode(read);
      return true;
    }
    void release(PageRead&) override {}
    FlashIo& io;
    RemadePage page{.complete = true};
  };
  ReadRetryParameters parameters;
  parameters.start = {"last_of_block_and_layer", nullptr};
  Bench bench(parameters);
  Rebuilt rebuilt(bench.reading.io);
  bench.reader.set_last_resort(rebuilt);
  bench.ecc.uncorrectable = [](const FlashOp& read) { return static_cast<const PageRead&>(read).remade == nullptr; };
  for (int k = 0; k < 2; ++k) {
    bench.flash.sent.clear();
    CHECK_FALSE(bench.read(bench.page));
    CHECK(bench.steps_tried() == Steps{0, 1, 2, 3, 4, 5});
  }
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
  // At all steps, a page needs seven sensing levels; step 3 has the fewest errors.
  bench.ecc.worst_errors = [](const FlashOp& read) {
    return 100u + 10 * std::abs(static_cast<int>(read.command.retry_step) - 3);
  };
  bench.ecc.uncorrectable = [](const FlashOp& read) { return read.command.sensing_levels < 7; };
  for (int pages = 0; pages < 2; ++pages) {
    bench.flash.sent.clear();
    bench.read(bench.page);
    // The reader tries the default step and the first step of the table. It then searches from the better of the two,
    // and finally makes soft reads at the best step found.
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

// Returns a policy that reads at steps 0 to `last`. Its retries are counted for `stage`.
auto steps_to(std::size_t last, RecoveryStage stage = RecoveryStage::by_levels) {
  return [=](const PageUnderRecovery& page) {
    const std::size_t n = page.attempts.size();
    if (n > last) return std::optional<ReadStep>();
    return std::optional(
        ReadStep{.retry_step = static_cast<int>(n), .stage = n == 0 ? RecoveryStage::by_levels : stage});
  };
}

TEST_CASE("a policy sees the page, and the errors and results of its reads") {
  std::vector<PagePlace> places;
  std::vector<ReadAttempt> told;
  ToldRecovery policy{.next = [&](const PageUnderRecovery& page) {
    places.push_back(page.place());
    CHECK(page.age().pe_cycles == 0);
    for (const ReadAttempt& attempt : page.attempts) {
      CHECK(attempt.result == ReadResult::uncorrectable);
      CHECK(attempt.errors == 100 + attempt.step.retry_step);
    }
    return steps_to(steps)(page);
  }};
  policy.succeeded = [&](const PageUnderRecovery& page) { told.assign(page.attempts.begin(), page.attempts.end()); };
  Bench bench(policy.parameters(), more_blocks);
  bench.ecc.worst_errors = [](const FlashOp& read) { return 100u + read.command.retry_step; };
  bench.ecc.uncorrectable = [](const FlashOp& read) { return read.command.retry_step < 2; };
  bench.read_together({Ppa(23 * 12 + 7)});
  REQUIRE(places.size() == 3);
  for (const PagePlace& place : places) {
    CHECK(place.channel == 0);
    CHECK(place.die == 0);
    CHECK(place.plane == 1);
    CHECK(place.block == 3);
    CHECK(place.page == 7);
    CHECK(place.wordline == 2);
    CHECK(place.layer == 0);
    CHECK(place.type == 1);
  }
  REQUIRE(told.size() == 3);
  CHECK(told[1].result == ReadResult::uncorrectable);
  CHECK(told[2].result == ReadResult::decoded);
  CHECK(told[2].errors == 102);
}

TEST_CASE("a policy is not told of pages that it has given up") {
  unsigned successes = 0;
  ToldRecovery policy{.next = steps_to(1)};
  policy.succeeded = [&](const PageUnderRecovery&) { ++successes; };
  Bench bench(policy.parameters(), more_blocks);
  bench.ecc.uncorrectable = [](const FlashOp& read) { return read.command.block == BlockInPlane(2); };
  bench.read_together({Ppa(24), Ppa(36)});
  CHECK(successes == 1);
  CHECK(bench.reader.counters().failed_reads == 1);
}

// Returns all statistics of the group, as a tree.
Value statistics_of(const ReadRetryCounters& counters) {
  StatisticsSnapshot snapshot;
  describe(counters, snapshot);
  return snapshot.result();
}

TEST_CASE("a policy's own stages are counted under their names, and saved") {
  ToldRecovery policy{.needs = {.stages = {{"guess", "reads at a guessed step"}, {"rest", "reads at other steps"}}},
                      .next = steps_to(steps, own_stage(1))};
  Bench bench(policy.parameters());
  bench.ecc.uncorrectable = [](const FlashOp& read) { return read.command.retry_step < 3; };
  bench.read(bench.page);
  const auto stage = [](const ReadRetryCounters& counters, const std::string& figure) {
    return statistics_of(counters).at("stages." + figure).number();
  };
  CHECK(stage(bench.reader.counters(), "first_read.reads") == 1);
  CHECK(stage(bench.reader.counters(), "hard_retry.reads") == 0);
  CHECK(stage(bench.reader.counters(), "guess.reads") == 0);
  CHECK(stage(bench.reader.counters(), "rest.reads") == 3);
  CHECK(stage(bench.reader.counters(), "rest.pages") == 1);

  Archive saved;
  bench.reader.persist_counters(saved);
  saved.finish();
  const std::vector<std::byte> bytes = saved.take();
  Bench same(policy.parameters());
  Archive to_same(bytes);
  same.reader.persist_counters(to_same);
  to_same.finish();
  CHECK(stage(same.reader.counters(), "rest.reads") == 3);
  Bench other({});
  Archive to_other(bytes);
  other.reader.persist_counters(to_other);
  to_other.finish();
  CHECK(stage(other.reader.counters(), "first_read.reads") == 1);
}

TEST_CASE("needs that contradict each other are refused, with the name of the policy") {
  const auto refused = [](RecoveryNeeds needs, const std::string& what) {
    const ToldRecovery policy{.needs = std::move(needs), .next = steps_to(steps)};
    CHECK_THROWS_WITH(Bench(policy.parameters()),
                      ContainsSubstring("controller.read_retry.policy: test:told") && ContainsSubstring(what));
  };
  refused({.adapts_timing = true}, "set locks_die");
  refused({.stages = {{"soft_2bit", ""}}}, "which there is already");
  refused({.stages = {{"one", ""}, {"one", ""}}}, "which there is already");
  refused({.stages = {{"a.b", ""}}}, "names of stages consist of a-z, 0-9 and _");
  refused({.stages = {{"", ""}}}, "names of stages consist of");
  refused({.stages = std::vector<StageName>(33)}, "at most 32");
}

TEST_CASE("the error for a read that the drive cannot make names the policy") {
  const auto refused = [](const ReadStep& step, const std::string& what) {
    const ToldRecovery policy{.next = [&](const PageUnderRecovery&) { return std::optional(step); }};
    Bench bench(policy.parameters());
    bench.ecc.uncorrectable = [](const FlashOp&) { return true; };
    CHECK_THROWS_WITH(bench.read(bench.page),
                      ContainsSubstring("test:told.next() returned") && ContainsSubstring(what));
  };
  refused({.retry_step = -1}, "step -1; the retry table has the steps 0 to 5");
  refused({.retry_step = 6}, "step 6; the retry table has the steps 0 to 5");
  refused({.retry_step = best_levels}, "the retry table has the steps 0 to 5");
  refused({.sensing_levels = 0}, "only where reads_soft is set");
  refused({.sensing_levels = 2}, "only where reads_soft is set");
  refused({.adds_senses = true}, "and there was none");
  refused({.pipelined = true}, "set locks_die");
  refused({.stage = RecoveryStage::last_resort}, "stage 5");
  refused({.stage = own_stage(0)}, "stage 6");
  refused({}, "step 0 for a page that has been read 84 times");
}

TEST_CASE("with any legal answers of a read recovery, all pages end") {
  const int seed = GENERATE(range(0, 60));
  const bool locks = seed % 3 == 0;
  const bool soft = seed % 2 == 0;
  ReadRetryParameters parameters;
  auto object = std::make_shared<RandomRecoveryObject>(static_cast<std::uint64_t>(seed), locks, soft);
  const std::string name = object->name();
  parameters.policy = {name, std::move(object)};
  if (seed % 5 < 2) parameters.start = {"last_of_block_and_layer", nullptr};
  Bench bench(parameters, more_blocks);
  RandomStream random(static_cast<std::uint64_t>(seed), "decoded");
  bench.ecc.uncorrectable = [&](const FlashOp&) { return random.below(4) != 0; };
  std::vector<Ppa> places;
  while (places.size() < 40) {
    const std::uint64_t block = random.below(40);
    places.emplace_back(12 * block + random.below(12));
  }
  bench.read_together(places);
  CHECK(bench.reader.counters().reads == 40);
  CHECK(bench.at_rest());
}

}  // namespace
}  // namespace nandscape::controller
