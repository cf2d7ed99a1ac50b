// SPDX-License-Identifier: Apache-2.0
#include "controller/content/wordline_speed_table.h"

#include <array>
#include <stdexcept>

#include "catch.h"
#include "controller/content/cdber.h"
#include "unit/controller/content/worn_cells.h"

namespace nandscape::controller {
namespace {

// The states in order of their voltage: 11, 10, 01, 00. The left digit is the bit of the MSB page, which is page 1.
const std::vector<std::uint8_t> natural = {0b11, 0b10, 0b01, 0b00};
const std::vector<std::uint8_t> gray_tlc = {0b111, 0b110, 0b100, 0b000, 0b010, 0b011, 0b001, 0b101};

WordlineSpeedTable::Step step(double step_mv, std::vector<double> left, std::vector<double> right) {
  return {step_mv, 200 * 300 / step_mv, std::move(left), std::move(right)};
}

TEST_CASE("wordline speeds: for two bits in natural order the rates are those of equations 4 and 5") {
  const StateErrorRates rates = worn_cells();
  const WordlineSpeedTable table(
      natural,
      {step(300, {rates.left.of.begin(), rates.left.of.end()}, {rates.right.of.begin(), rates.right.of.end()})}, 1e-3);
  for (const double msb : {0.0, 0.3, 0.5, 1.0}) {
    for (const double lsb : {0.0, 0.2, 0.5, 0.9}) {
      const StateShares shares{{lsb * msb, (1 - lsb) * msb, lsb * (1 - msb), (1 - lsb) * (1 - msb)}};
      const auto independent = table.shares_of(std::array{lsb, msb});
      for (std::size_t state = 0; state < cell_states; ++state) CHECK(independent[state] == Approx(shares.of[state]));
    }
  }
  RandomStream random(1, "shares");
  for (int n = 0; n < 1000; ++n) {
    const StateShares shares = random_shares(random);
    CHECK(table.cdber(0, 0, shares.of) == Approx(cdber(PairedPage::lsb, rates, shares)));
    CHECK(table.cdber(1, 0, shares.of) == Approx(cdber(PairedPage::msb, rates, shares)));
  }
}

TEST_CASE("wordline speeds: a page errs only at levels where its bit changes") {
  // The rates are different powers of ten, so that the sum shows which rates were added.
  const WordlineSpeedTable table(gray_tlc, {step(250, {0, 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6}, std::vector<double>(8))},
                                 1);
  const auto half = table.shares_of(std::array{0.5, 0.5, 0.5});
  CHECK(8 * table.cdber(0, 0, half) == Approx(1 + 1e4));
  CHECK(8 * table.cdber(1, 0, half) == Approx(1e1 + 1e3 + 1e5));
  CHECK(8 * table.cdber(2, 0, half) == Approx(1e2 + 1e6));
}

TEST_CASE("wordline speeds: the largest step with which every page is correctable is chosen") {
  const auto rising = [](double mv, double rate) {
    return step(mv, std::vector<double>(8, rate), std::vector<double>(8, rate));
  };
  const WordlineSpeedTable table(gray_tlc, {rising(250, 1e-4), rising(300, 1e-3), rising(400, 1e-2)}, 2e-3);
  // If all states have equal shares, the page with three read levels has 6/8 of the rate, and the other pages have 4/8.
  const auto alike = table.shares_of(std::array{0.5, 0.5, 0.5});
  CHECK(table.largest_legal(alike) == 1);
  // If all cells are in the lowest state, only the lowest read level can misread them.
  CHECK(table.largest_legal(table.shares_of(std::array{1.0, 1.0, 1.0})) == 1);
  const WordlineSpeedTable strong(gray_tlc, {rising(250, 1e-4), rising(400, 1e-2)}, 7.6e-3);
  CHECK(strong.largest_legal(alike) == 1);
  const WordlineSpeedTable weak(gray_tlc, {rising(250, 1e-4), rising(400, 1e-2)}, 7.4e-3);
  CHECK(weak.largest_legal(alike) == 0);
  // At the second step, pages with two read levels are correctable, but the page with three levels is not.
  CHECK(weak.largest_legal(1, alike) == 0);
  CHECK(weak.largest_legal(0, alike) == 1);
  // If no step is correctable, the first step is chosen.
  const WordlineSpeedTable none(gray_tlc, {rising(250, 1), rising(400, 1)}, 1e-3);
  CHECK(none.largest_legal(alike) == 0);
}

TEST_CASE("wordline speeds: invalid tables are refused") {
  CHECK_THROWS_AS(WordlineSpeedTable(natural, {}, 1e-3), std::invalid_argument);
  CHECK_THROWS_AS(WordlineSpeedTable(natural, {step(300, {0, 0, 0}, {0, 0, 0, 0})}, 1e-3), std::invalid_argument);
  const WordlineSpeedTable::Step whole = step(300, {0, 0, 0, 0}, {0, 0, 0, 0});
  CHECK_THROWS_AS(WordlineSpeedTable(natural, {whole, whole}, 1e-3), std::invalid_argument);
}

}  // namespace
}  // namespace nandscape::controller
