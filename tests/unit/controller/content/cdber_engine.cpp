// SPDX-License-Identifier: Apache-2.0
#include "controller/content/cdber_engine.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "catch.h"
#include "unit/controller/content/worn_cells.h"

namespace nandscape::controller {
namespace {

constexpr std::uint32_t cells = 16384;
constexpr double correctable = 7.3e-4;

WordlineSpeedTable::Step step(double step_mv, double program_us, double times) {
  const auto [left, right] = worn_cells(times);
  return {step_mv, program_us, {left.of.begin(), left.of.end()}, {right.of.begin(), right.of.end()}};
}

CdberEngine engine(const std::vector<WordlineSpeedTable::Step>& steps) {
  const std::vector<std::uint8_t> natural = {0b11, 0b10, 0b01, 0b00};
  return {std::make_shared<WordlineSpeedTable>(natural, steps, correctable), cells, ContentBound::relaxed};
}

// Returns an engine with error rates that grow with the program step, as in Table II of Sha et al.
CdberEngine engine() {
  return engine({step(300, 200, 1), step(380, 157.9, 1.7), step(460, 130.4, 2.7), step(540, 111.1, 4),
                 step(600, 100, 5), step(680, 88.2, 6.5)});
}

TEST_CASE("content engine: a step is legal up to the number of weak cells in the table") {
  const CdberEngine speeds = engine();
  for (const PairedPage page : paired_pages) {
    for (std::uint32_t step = 1; step < speeds.speeds().steps().size(); ++step) {
      const auto most = speeds.most_weak_cells(page, step);
      REQUIRE(most > 0);
      REQUIRE(most < cells);
      CHECK(most < speeds.most_weak_cells(page, step - 1));
      const auto weak = static_cast<std::uint32_t>(most);
      CHECK(speeds.relaxed(page, {{{cells - weak, 0, weak, 0}}}) == step);
      CHECK(speeds.relaxed(page, {{{cells - weak - 1, 0, weak + 1, 0}}}) == step - 1);
      CHECK(relaxed_cdber(page, error_rates(speeds.speeds().steps()[step]), static_cast<double>(most) / cells) <=
            correctable);
      CHECK(relaxed_cdber(page, error_rates(speeds.speeds().steps()[step]), static_cast<double>(most + 1) / cells) >
            correctable);
    }
  }
}

TEST_CASE("content engine: 00 counts for the LSB page only") {
  const StateCounts half_00{{{cells / 2, 0, 0, cells / 2}}};
  CHECK(engine().relaxed(PairedPage::msb, half_00) == 5);
  CHECK(engine().relaxed(PairedPage::lsb, half_00) < 3);
}

TEST_CASE("content engine: steps from the table are correctable, and the exact CDBER never gives a smaller step") {
  const CdberEngine speeds = engine();
  RandomStream random(1, "shares");
  int larger = 0;
  for (int n = 0; n < 10000; ++n) {
    const StateCounts states = counts_of(random_shares(random), cells);
    for (const PairedPage page : paired_pages) {
      const std::uint32_t relaxed = speeds.relaxed(page, states), exact = speeds.exact(page, states);
      CHECK(relaxed <= exact);
      larger += relaxed < exact;
      CHECK(cdber(page, error_rates(speeds.speeds().steps()[exact]), states.shares()) <= correctable);
    }
  }
  CHECK(larger > 0);
}

TEST_CASE("content engine: where no step is legal the default step is chosen") {
  const CdberEngine hopeless = engine({step(300, 200, 100), step(380, 157.9, 170)});
  const StateCounts states{{{cells, 0, 0, 0}}};
  CHECK(hopeless.most_weak_cells(PairedPage::lsb, 1) < 0);
  CHECK(hopeless.relaxed(PairedPage::lsb, states) == 0);
  CHECK(hopeless.exact(PairedPage::lsb, states) == 0);
}

TEST_CASE("content engine: the bound decides how a step is chosen") {
  CdberEngine relaxed = engine();
  CdberEngine exact(std::make_shared<WordlineSpeedTable>(relaxed.speeds()), cells, ContentBound::exact);
  // Cells in state 01 are misread less often than cells in 00, but the relaxed CDBER counts both with the rate of 00.
  const StateCounts states{{{cells / 4, 0, 3 * cells / 4, 0}}};
  CHECK(relaxed.step(PairedPage::lsb, states) == relaxed.relaxed(PairedPage::lsb, states));
  CHECK(exact.step(PairedPage::lsb, states) == relaxed.exact(PairedPage::lsb, states));
  CHECK(relaxed.step(PairedPage::lsb, states) < exact.step(PairedPage::lsb, states));
}

TEST_CASE("content engine: the fastest mapping is no slower than any other") {
  const CdberEngine speeds = engine({step(300, 200, 1), step(460, 130, 2.7), step(680, 88, 6.5)});
  const auto both = [&](const StateCounts& states) {
    return std::min(speeds.relaxed(PairedPage::lsb, states), speeds.relaxed(PairedPage::msb, states));
  };
  const auto program_us = [&](const StateCounts& states) {
    return speeds.speeds().steps()[speeds.relaxed(PairedPage::lsb, states)].program_us +
           speeds.speeds().steps()[speeds.relaxed(PairedPage::msb, states)].program_us;
  };
  RandomStream random(1, "shares");
  int faster = 0;
  for (int n = 0; n < 300; ++n) {
    const StateCounts states = counts_of(random_shares(random), cells);
    const double fastest = program_us(speeds.fastest_mapping(states, false)(states));
    const std::uint32_t one_shot = both(speeds.fastest_mapping(states, true)(states));
    for (std::uint8_t number = 0; number < StateMapping::mappings; ++number) {
      CHECK(fastest <= program_us(StateMapping(number)(states)));
      CHECK(one_shot >= both(StateMapping(number)(states)));
    }
    faster += fastest < program_us(states);
  }
  CHECK(faster > 0);
}

TEST_CASE("content engine: states are not mapped without a gain") {
  CHECK(engine({step(300, 200, 1)}).fastest_mapping({{{0, 0, 0, cells}}}, false).number() == 0);
}

}  // namespace
}  // namespace nandscape::controller
