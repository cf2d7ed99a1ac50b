// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "catch.h"
#include "platform/config/read_timing_tables.h"
#include "platform/studies/cell_study.h"
#include "platform/studies/read_timing_study.h"
#include "unit/platform/temporary_folder.h"

using namespace nandscape;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

constexpr std::uint32_t blocks = 16;

Configuration retry_drive(const std::vector<Override>& overrides = {}) {
  return load_configuration("retry_tlc_512g", overrides);
}

}  // namespace

TEST_CASE("a read-timing table is found by its name or by its path") {
  const TemporaryFolder folder;
  const std::string file = folder.write("mine.yaml",
                                        "pe_cycles: [0, 1000]\n"
                                        "retention_months: [0.5, 3, 12]\n"
                                        "precharge_reduction:\n"
                                        "  - [136, 130, 120]\n"
                                        "  - [119, 110, 102]\n");
  const controller::ReadTimingTable table = load_read_timing_table(file);
  CHECK(table.precharge_reduction(0, 0.5) == 136);
  CHECK(table.precharge_reduction(0, 0.6) == 130);
  CHECK(table.precharge_reduction(500, 12) == 102);
  CHECK(table.precharge_reduction(500, 13) == 0);

  for (const auto& [name, what] : list_read_timing_tables()) {
    CAPTURE(name, what);
    CHECK_THAT(what, Contains(name));
    CHECK(load_read_timing_table(name).entries().size() > 1);
  }
  CHECK_THROWS_WITH(load_read_timing_table("tlc_3d_84", {"drive.yaml", 7}, "the.key"),
                    StartsWith("drive.yaml:7: the.key: no read-timing table is named 'tlc_3d_84'") &&
                        Contains("did you mean tlc_3d_48?"));
}

TEST_CASE("errors in broken read-timing tables give the line") {
  const TemporaryFolder folder;
  const auto complaint = [&](const std::string& text) {
    try {
      load_read_timing_table(folder.write("broken.yaml", text));
    } catch (const ConfigError& error) {
      return std::string(error.what()).substr(folder.path().string().size() + 1);
    }
    return std::string();
  };
  const std::string sides = "pe_cycles: [0, 1000]\nretention_months: [3, 12]\n";
  CHECK_THAT(complaint(""), StartsWith("broken.yaml: is not a group of keys"));
  CHECK_THAT(complaint("pe_cycles: [\n"), Contains("not valid YAML"));
  CHECK_THAT(complaint(sides), StartsWith("broken.yaml: precharge_reduction: is missing"));
  CHECK_THAT(complaint(sides + "precharge_reductoin:\n  - [1, 2]\n  - [3, 4]\n"),
             StartsWith("broken.yaml:3: precharge_reductoin: ") && Contains("did you mean precharge_reduction?"));
  const std::string head = sides + "precharge_reduction:\n";
  CHECK_THAT(complaint(head + "  - [1, 2]\n"), StartsWith("broken.yaml:3: ") && Contains("1 rows for 2 numbers"));
  CHECK_THAT(complaint(head + "  - [1, 2]\n  - [3]\n"),
             StartsWith("broken.yaml:5: ") && Contains("the row of 1000 P/E cycles has 1 numbers for 2 ages"));
  CHECK_THAT(complaint(head + "  - [1, 2]\n  - [3, ~]\n"), StartsWith("broken.yaml:5: ") && Contains("not nothing"));
  CHECK_THAT(complaint(head + "  - [1, 2]\n  - [3, 256]\n"), StartsWith("broken.yaml:5: ") && Contains("0 to 255"));
  CHECK_THAT(complaint(head + "  - [1, 2]\n  - 3\n"), StartsWith("broken.yaml:5: ") && Contains("is a list"));
  const std::string grid = "precharge_reduction: [[1, 2], [3, 4]]\n";
  CHECK_THAT(complaint("pe_cycles: [1000, 0]\nretention_months: [3, 12]\n" + grid),
             StartsWith("broken.yaml:1: pe_cycles: must ascend, but 0 follows 1000"));
  CHECK_THAT(complaint("pe_cycles: [0, 0]\nretention_months: [3, 12]\n" + grid),
             StartsWith("broken.yaml:1: pe_cycles"));
  CHECK_THAT(complaint("pe_cycles: [0, 1000]\nretention_months: [-3, 12]\n" + grid),
             StartsWith("broken.yaml:2: retention_months: "));
  CHECK_THAT(complaint("pe_cycles: [0, 1000]\nretention_months: [3, .inf]\n" + grid),
             StartsWith("broken.yaml:2: retention_months: "));
  CHECK_THAT(complaint("pe_cycles: [0, 1000]\nretention_months: []\n" + grid),
             StartsWith("broken.yaml:2: retention_months: has at least one"));
}

// Compares the profile with the closed form for all pages. They may differ by the spread between the sampled wordlines.
TEST_CASE("a profiled reduction leaves the margin, and one more step does not") {
  const Configuration configuration = retry_drive();
  const CellStudy cells(configuration);
  const ReadTimingGoal goal;
  const ReadTimingStudy study(configuration, goal, blocks);
  CHECK(study.sampled_pages() == blocks * 576);
  const std::array<std::pair<std::uint32_t, double>, 4> conditions = {{{0, 0}, {0, 12}, {1000, 3}, {2000, 12}}};
  for (const auto& [cycles, months] : conditions) {
    CAPTURE(cycles, months);
    const nand::Population pages = cells.population(
        {.pe_cycles = static_cast<double>(cycles), .months = months, .temperature_c = goal.temperature_c, .layer = {}},
        {.bits = 9216, .per_page = 16, .correctable = goal.correctable});
    const auto most_errors = [&](std::uint32_t reduction) {
      return pages.most_errors({.t_pre_us = 24.0 * (255 - reduction) / 255, .t_eval_us = 5, .t_disch_us = 10},
                               goal.pages);
    };
    const std::uint32_t reduction = study.precharge_reduction(cycles, months);
    CHECK(reduction % 17 == 0);  // steps of 255 / 15
    CHECK(most_errors(reduction) <= goal.correctable - goal.margin + 0.5);
    CHECK(most_errors(reduction + 17) > goal.correctable - goal.margin - 0.5);
  }
}

TEST_CASE("the shipped read-timing table matches its cells") {
  const controller::ReadTimingTable table = load_read_timing_table("tlc_3d_48");
  const ReadTimingStudy study(retry_drive(), {}, 64);
  CHECK(study.precharge_reduction(0, 12) == table.precharge_reduction(0, 12));
  CHECK(study.precharge_reduction(750, 2) == table.precharge_reduction(750, 2));
  CHECK(study.precharge_reduction(2000, 12) == table.precharge_reduction(2000, 12));
}

TEST_CASE("all goals and cell parameters affect a profiled reduction") {
  const auto reduction = [](ReadTimingGoal goal, const std::vector<Override>& overrides = {}) {
    goal.parts = 255;
    return ReadTimingStudy(retry_drive(overrides), goal, 1).precharge_reduction(1000, 6);
  };
  const std::uint8_t standard = reduction({});
  CHECK(reduction({.margin = 0}) > standard);
  CHECK(reduction({.margin = 20}) < standard);
  CHECK(reduction({.margin = 72}) == 0);
  CHECK(reduction({.correctable = 66}) < standard);
  CHECK(reduction({.temperature_c = 30}) < standard);
  CHECK(reduction({.pages = 1e12}) < standard);
  const Override uneven = {"nand.cells.variation.width_sigma", 0.1};
  CHECK(reduction({}, {uneven}) < standard);
  CHECK(reduction({}, {uneven, {"simulation.seed", 2}}) != reduction({}, {uneven}));
  CHECK(reduction({}, {{"nand.timing.t_pre_us", 20}}) < standard);
  // Without tracking, some pages are just barely readable at a step, so there is no margin for a shorter tPRE.
  CHECK(reduction({}, {{"nand.cells.read_levels.tracking", false}}) == 0);
}

TEST_CASE("profiled reductions are parts of tPRE, rounded down") {
  const auto reduction = [](std::uint32_t parts) {
    return ReadTimingStudy(retry_drive(), {.parts = parts}, 1).precharge_reduction(1000, 6);
  };
  CHECK(reduction(2) == 127);    // 1/2 is 127.5
  CHECK(reduction(3) == 85);     // 1/3
  CHECK(reduction(15) == 119);   // 7/15
  CHECK(reduction(32) == 127);   // 16/32
  CHECK(reduction(100) == 130);  // 51/100 is 130.05
}

// Pages that a normal read can just barely correct have the most errors. Normal reads use the full timing, so these
// pages do not limit the shortened timing of retries.
TEST_CASE("pages that need no retry are not profiled while others need retries") {
  const CellStudy cells(retry_drive());
  const nand::Population pages = cells.population({.months = 0.1, .layer = {}}, {});
  const nand::SenseTiming standard{24, 5, 10};
  CHECK(pages.retry_steps()[0] > 0.01);
  CHECK(pages.retry_steps()[0] < 0.99);
  CHECK(pages.most_errors(standard, 1e7) > 58);
  CHECK(pages.most_errors_in_retries(standard, 1e7) < 30);
  CHECK(ReadTimingStudy(retry_drive(), {}, 1).precharge_reduction(0, 0.1) > 0);
  // At this condition, no page needs retries.
  const nand::Population fresh = cells.population({.layer = {}}, {});
  CHECK(fresh.most_errors_in_retries(standard, 1e7) == fresh.most_errors(standard, 1e7));
}

TEST_CASE("cells and goals that cannot be profiled are reported") {
  const Configuration drive = retry_drive();
  CHECK_THROWS_WITH(ReadTimingStudy(drive, {.correctable = 10}, blocks),
                    "a margin of 14 errors is more than the 10 that the ECC corrects");
  CHECK_THROWS_WITH(ReadTimingStudy(drive, {.parts = 256}, blocks), Contains("a part of 1 to 255, not of 256"));
  CHECK_THROWS_WITH(ReadTimingStudy(drive, {.pages = 0}, blocks), Contains("at least one"));
  CHECK_THROWS_WITH(ReadTimingStudy(drive, {}, 0), Contains("at least one block"));
  const Configuration slc = load_configuration("bare", {{"nand.cells.set", "slc_3d"}, {"nand.coding", "slc"}});
  CHECK_THROWS_WITH(ReadTimingStudy(slc, {}, blocks),
                    StartsWith("nand.cells.sensing.precharge_median_us: ") && Contains("slc_3d"));
  CHECK(guaranteed_correctable(drive) == 72);
  const Configuration ldpc =
      load_configuration("bare", {{"ecc.codec", "ldpc"}, {"ecc.codeword_bytes", 4096}, {"ecc.decoder", "table"}});
  CHECK_THROWS_WITH(guaranteed_correctable(ldpc), StartsWith("ecc.codec: ") && Contains("--correctable N"));
}
