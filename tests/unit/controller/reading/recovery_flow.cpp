// SPDX-License-Identifier: Apache-2.0
// Tests which reads of a page the policy `recovery_flow` makes, without a drive.
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "assign_parameters.h"
#include "catch.h"
#include "controller/reading/read_recovery.h"
#include "core/random.h"

namespace nandscape::controller {
namespace {

std::unique_ptr<ReadRecoveryPolicy> flow(std::map<std::string, std::string> settings) {
  ReadRetryParameters parameters;
  settings["policy"] = "recovery_flow";
  assign(parameters, std::move(settings));
  return read_recovery_registry().make(parameters.policy);
}

// A page whose address and age do not matter.
struct AnyPage final : PageUnderRecovery {
  using PageUnderRecovery::PageUnderRecovery;
  PagePlace place() const override { return {}; }
  BlockAge age() const override { return {}; }
};

// Returns all reads that the policy makes of an uncorrectable page. `errors` returns the number of errors of a given
// read.
template <class Errors>
std::vector<ReadStep> reads(ReadRecoveryPolicy& policy, const StepOrder& order, Errors errors) {
  std::vector<ReadStep> made;
  std::vector<ReadAttempt> attempts;
  while (const auto step = policy.next(AnyPage(order, attempts))) {
    REQUIRE(made.size() < 1000);
    made.push_back(*step);
    attempts.push_back({*step, errors(*step), ReadResult::uncorrectable});
  }
  return made;
}

bool searches(const ReadStep& read) { return read.stage == RecoveryStage::vref_search; }

std::vector<std::pair<int, int>> steps_and_levels(const std::vector<ReadStep>& reads) {
  std::vector<std::pair<int, int>> shown;
  for (const ReadStep& read : reads) shown.emplace_back(read.retry_step, read.sensing_levels);
  return shown;
}

using Reads = std::vector<std::pair<int, int>>;

std::uint16_t valley_at_3(const ReadStep& read) {
  return static_cast<std::uint16_t>(read.retry_step < 3 ? 90 - read.retry_step : 84 + read.retry_step);
}

TEST_CASE("the whole retry table comes first, then two soft reads at its best step") {
  const auto made = reads(*flow({}), StepOrder(0, 5), valley_at_3);
  CHECK(steps_and_levels(made) == Reads{{0, 1}, {1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}, {3, 3}, {3, 7}});
  for (const ReadStep& read : made) {
    CHECK_FALSE(searches(read));
    CHECK_FALSE(read.adds_senses);
  }
}

TEST_CASE("a search replaces the table, or the rest of it") {
  const auto searched = reads(*flow({{"hard_retries", "0"}, {"search_stride", "4"}}), StepOrder(0, 9), valley_at_3);
  CHECK(steps_and_levels(searched) == Reads{{0, 1}, {4, 1}, {8, 1}, {6, 1}, {2, 1}, {5, 1}, {3, 1}, {3, 3}, {3, 7}});
  CHECK_FALSE(searches(searched[0]));
  for (std::size_t k = 1; k < 7; ++k) CHECK(searches(searched[k]));
  CHECK_FALSE(searches(searched[7]));

  const auto both = reads(*flow({{"hard_retries", "2"}, {"search_stride", "1"}}), StepOrder(0, 9), valley_at_3);
  CHECK(steps_and_levels(both) == Reads{{0, 1}, {1, 1}, {2, 1}, {3, 1}, {4, 1}, {3, 3}, {3, 7}});
  CHECK_FALSE(searches(both[2]));
  CHECK(searches(both[3]));
}

TEST_CASE("soft reads end at the allowed number of bits, and keep their senses on request") {
  const StepOrder no_table(0, 0);
  CHECK(steps_and_levels(reads(*flow({{"soft_bits", "2"}}), no_table, valley_at_3)) == Reads{{0, 1}, {0, 3}});
  const auto kept = reads(*flow({{"keep_senses", "true"}}), no_table, valley_at_3);
  REQUIRE(kept.size() == 3);
  CHECK_FALSE(kept[1].adds_senses);
  CHECK(kept[2].adds_senses);
}

TEST_CASE("whatever errors the reads find, stages follow each other, and each hard step is read once") {
  RandomStream random(1, "recovery flow");
  const auto drawn = [&](std::uint32_t most) { return static_cast<std::uint32_t>(random.uniform() * (most + 1)); };
  for (int k = 0; k < 500; ++k) {
    const auto last = static_cast<std::uint8_t>(drawn(60));
    const StepOrder order(static_cast<std::uint8_t>(drawn(last)), last);
    const std::uint32_t hard_retries = drawn(70);
    const std::uint32_t stride = drawn(20);
    const std::uint32_t soft_bits = 2 + drawn(1);
    const auto policy = flow({{"hard_retries", std::to_string(hard_retries)},
                              {"search_stride", std::to_string(stride)},
                              {"soft_bits", std::to_string(soft_bits)}});
    std::vector<bool> read_hard(last + 1u);
    std::uint32_t fewest = 1 << 16;
    int best = 0;
    unsigned stage = 0;  // 0 for hard reads, 1 for the search, 2 and 3 for soft reads
    unsigned hard = 0;
    const auto made = reads(*policy, order, [&](const ReadStep& read) {
      const unsigned now = read.sensing_levels == 7 ? 3 : read.sensing_levels == 3 ? 2 : searches(read) ? 1 : 0;
      CHECK(now >= stage);
      stage = now;
      const auto errors = static_cast<std::uint16_t>(drawn(errors_not_known));
      if (now >= 2) {
        CHECK(read.retry_step == best);
        return errors;
      }
      CHECK(read.sensing_levels == 1);
      REQUIRE(read.retry_step <= last);
      CHECK_FALSE(read_hard[read.retry_step]);
      read_hard[read.retry_step] = true;
      hard += now == 0;
      if (errors < fewest) {
        fewest = errors;
        best = read.retry_step;
      }
      return errors;
    });
    CHECK(stage == soft_bits);
    CHECK(hard == std::min<unsigned>(hard_retries, last) + 1);
    CHECK(made.size() <= last + 1u + soft_bits - 1);
    if (stride == 0) CHECK(made.size() == hard + soft_bits - 1);
  }
}

}  // namespace
}  // namespace nandscape::controller
