// SPDX-License-Identifier: Apache-2.0
#include "controller/content/write_speed_table.h"

#include <stdexcept>

#include "catch.h"
#include "unit/controller/content/worn_cells.h"

namespace nandscape::controller {
namespace {

using enum CellState;

constexpr std::uint32_t cells = 16384;
constexpr double correctable = 7.3e-4;

// Rates that grow with the step, as in Table II.
WriteSpeedTable table() {
  return {{{300, 200, worn_cells()},
           {380, 157.9, worn_cells(1.7)},
           {460, 130.4, worn_cells(2.7)},
           {540, 111.1, worn_cells(4)},
           {600, 100, worn_cells(5)},
           {680, 88.2, worn_cells(6.5)}},
          correctable,
          cells};
}

TEST_CASE("write speeds: a step is legal up to the number of weak cells in the table") {
  const WriteSpeedTable speeds = table();
  for (const PairedPage page : paired_pages) {
    for (std::uint32_t step = 1; step < speeds.steps().size(); ++step) {
      const auto most = speeds.most_weak_cells(page, step);
      REQUIRE(most > 0);
      REQUIRE(most < cells);
      CHECK(most < speeds.most_weak_cells(page, step - 1));
      const auto weak = static_cast<std::uint32_t>(most);
      CHECK(speeds.relaxed(page, {{{cells - weak, 0, weak, 0}}}) == step);
      CHECK(speeds.relaxed(page, {{{cells - weak - 1, 0, weak + 1, 0}}}) == step - 1);
      CHECK(relaxed_cdber(page, speeds.steps()[step].errors, static_cast<double>(most) / cells) <= correctable);
      CHECK(relaxed_cdber(page, speeds.steps()[step].errors, static_cast<double>(most + 1) / cells) > correctable);
    }
  }
}

TEST_CASE("write speeds: 00 counts for the LSB page only") {
  const StateCounts half_00{{{cells / 2, 0, 0, cells / 2}}};
  CHECK(table().relaxed(PairedPage::msb, half_00) == 5);
  CHECK(table().relaxed(PairedPage::lsb, half_00) < 3);
  CHECK(table().relaxed(half_00) == table().relaxed(PairedPage::lsb, half_00));
}

TEST_CASE("write speeds: steps from the table are correctable, and the exact CDBER never gives a smaller step") {
  const WriteSpeedTable speeds = table();
  RandomStream random(1, "shares");
  int larger = 0;
  for (int n = 0; n < 10000; ++n) {
    const StateCounts states = counts_of(random_shares(random), cells);
    for (const PairedPage page : paired_pages) {
      const std::uint32_t relaxed = speeds.relaxed(page, states), optimal = speeds.optimal(page, states);
      CHECK(relaxed <= optimal);
      larger += relaxed < optimal;
      CHECK(cdber(page, speeds.steps()[optimal].errors, states.shares()) <= correctable);
    }
  }
  CHECK(larger > 0);
}

TEST_CASE("write speeds: where no step is legal the default step is chosen") {
  const WriteSpeedTable hopeless({{300, 200, worn_cells(100)}, {380, 157.9, worn_cells(170)}}, correctable, cells);
  const StateCounts states{{{cells, 0, 0, 0}}};
  CHECK(hopeless.most_weak_cells(PairedPage::lsb, 1) < 0);
  CHECK(hopeless.relaxed(PairedPage::lsb, states) == 0);
  CHECK(hopeless.optimal(PairedPage::lsb, states) == 0);
}

TEST_CASE("write speeds: empty or non-increasing steps are refused") {
  CHECK_THROWS_AS(WriteSpeedTable({}, correctable, cells), std::invalid_argument);
  CHECK_THROWS_AS(WriteSpeedTable({{380, 1, {}}, {300, 2, {}}}, correctable, cells), std::invalid_argument);
  CHECK_THROWS_AS(WriteSpeedTable({{300, 1, {}}, {300, 2, {}}}, correctable, cells), std::invalid_argument);
}

}  // namespace
}  // namespace nandscape::controller
