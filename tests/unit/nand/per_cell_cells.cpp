// SPDX-License-Identifier: Apache-2.0
#include "nand/cell_models/per_cell_cells.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "catch.h"
#include "cell_devices.h"
#include "flipped_bits.h"
#include "nand/cell_models/statistical_cells.h"
#include "nand/coding/merging.h"

using namespace nandscape;
using namespace nandscape::nand;

namespace {

std::vector<std::byte> some_page(const CellDevice& device, std::uint32_t seed) {
  RandomStream random(seed, "page");
  std::vector<std::byte> page(device.layout.page_bytes);
  for (std::byte& b : page) b = static_cast<std::byte>(random() & 0xff);
  return page;
}

}  // namespace

TEST_CASE("single cells: data are converted to states and back") {
  const CellDevice device(small_die(), 1024);
  PerCellCells cells(device, 5, "die");
  cells.erase(BlockInDie(2), 0);
  std::vector<std::vector<std::byte>> pages;
  for (std::uint32_t type = 0; type < 3; ++type) {
    pages.push_back(some_page(device, type + 1));
    CHECK(cells.program({{BlockInDie(2), 0}, &device.coding, type, 0, pages.back().data(), 0, device.layout.page_bytes},
                        0));
  }
  const auto snapshot = cells.snapshot(whole_page(device, {BlockInDie(2), 0}, 0), 0);
  for (std::size_t cell = 0; cell < std::size_t{8} * device.layout.page_bytes; ++cell) {
    std::uint32_t bits = 0;
    for (std::uint32_t type = 0; type < 3; ++type) {
      bits |= (std::to_integer<std::uint32_t>(pages[type][cell / 8]) >> cell % 8 & 1) << type;
    }
    REQUIRE(snapshot.place[cell] == device.coding.state_of(bits));
  }
}

TEST_CASE("single cells: each state is distributed as in the closed form") {
  const CellDevice device(small_die(), 1024);
  PerCellCells cells(device, 5, "die");
  const SenseOrder order = whole_page(device, {BlockInDie(1), 5}, 0);
  const auto snapshot = cells.snapshot(order, 0);
  const PageVariations variations(device.cells.variation, device.wordlines_per_block, mix64(5) ^ hash_name("die"));
  CellCondition condition;
  condition.kilocycles = 1;
  condition.retention_months = 90 * 24 / 730.0;
  condition.later_programs = 10.0 / 16;
  for (std::uint32_t place = 0; place < 8; ++place) {
    const StateDistribution state = device.model.state(place, condition, variations.of(BlockInDie(1), 5));
    std::vector<double> vth;
    for (std::size_t k = 0; k < snapshot.vth.size(); ++k) {
      if (snapshot.place[k] == place) vth.push_back(snapshot.vth[k]);
    }
    std::sort(vth.begin(), vth.end());
    // Computes the Kolmogorov-Smirnov statistic: the largest distance between the two distributions, times the square
    // root of the number of cells.
    double distance = 0;
    for (std::size_t k = 0; k < vth.size(); ++k) {
      const double p = state.below(vth[k]);
      distance = std::max({distance, std::abs(p - static_cast<double>(k) / vth.size()),
                           std::abs(p - static_cast<double>(k + 1) / vth.size())});
    }
    CAPTURE(place, vth.size());
    // A correct distribution exceeds this once in 3000 states.
    CHECK(distance * std::sqrt(static_cast<double>(vth.size())) < 2.1);
  }
}

// Wordlines are adjusted one after another. Cells that move take the coupling of the previous wordline into account,
// but not the coupling of the next wordline, which is adjusted later.
TEST_CASE("single cells: adjusted wordlines couple as in the closed form") {
  NandParameters p = small_die();
  p.cells.interference = {.vertical = GENERATE(0.0, 0.03), .diagonal = 0.004};
  p.condition.retention_days = 0;
  const CellDevice device(p, 1024);
  PerCellCells cells(device, 5, "die");
  const Merging merging = merge(device.coding, 0b110);
  const std::set<std::uint32_t> adjusted = GENERATE(std::set<std::uint32_t>{4, 5, 6}, std::set<std::uint32_t>{4, 6},
                                                    std::set<std::uint32_t>{4}, std::set<std::uint32_t>{5, 6});
  for (const std::uint32_t w : adjusted) {
    CHECK(cells.adjust({{BlockInDie(1), w}, &device.coding, &merging, device.wordlines_per_block}, 0));
  }
  const auto merged = [&](std::uint32_t w) { return adjusted.contains(w) ? &merging : nullptr; };
  SenseOrder order = whole_page(device, {BlockInDie(1), 5}, 0);
  if (adjusted.contains(5)) order.coding = &merging.coding;
  const auto snapshot = cells.snapshot(order, 0);
  const PageVariations variations(device.cells.variation, device.wordlines_per_block, mix64(5) ^ hash_name("die"));
  CellCondition condition;
  condition.kilocycles = 1;
  condition.later_programs = 10.0 / 16;
  condition.adjusted = {.own = merged(5), .previous = merged(4), .next = merged(6)};
  for (std::uint32_t place = 1; place < 8; ++place) {
    const StateDistribution state = device.model.state(place, condition, variations.of(BlockInDie(1), 5));
    double distance = 0;
    std::vector<double> vth;
    for (std::size_t k = 0; k < snapshot.vth.size(); ++k) {
      if (snapshot.place[k] == place) vth.push_back(snapshot.vth[k]);
    }
    if (vth.empty()) continue;
    std::sort(vth.begin(), vth.end());
    // Checks only every eighth cell, since the closed form is slow. Both distributions rise, so between two of these
    // cells their distance grows by at most 8 in about 4,000 cells, which is 0.13 on the scale of the limit below.
    for (std::size_t k = 0; k < vth.size(); k += 8) {
      distance = std::max(distance, std::abs(state.below(vth[k]) - (static_cast<double>(k) + 0.5) / vth.size()));
    }
    CAPTURE(p.cells.interference.vertical, merged(4) != nullptr, merged(5) != nullptr, merged(6) != nullptr, place,
            vth.size(), distance);
    CHECK(distance * std::sqrt(static_cast<double>(vth.size())) < 2.37);
  }
}

TEST_CASE("single cells: pulses and direct drawing give the same misreads") {
  const CellDevice device(small_die(), 1024);
  PerCellCells cells(device, 5, "die");
  double drawn = 0;
  double pulsed = 0;
  for (std::uint32_t w = 0; w < 8; ++w)
    drawn += cells.sense(whole_page(device, {BlockInDie(0), w}, 1), 0).raw_bit_errors;
  const Tick ninety_days = Tick{90 * 24 * 3600} * 1'000'000'000'000;
  cells.erase(BlockInDie(1), 0);
  for (std::uint32_t w = 0; w < 16; ++w) cells.program({{BlockInDie(1), w}, &device.coding, 2, 0, nullptr, 0}, 0);
  for (std::uint32_t w = 0; w < 8; ++w)
    pulsed += cells.sense(whole_page(device, {BlockInDie(1), w}, 1), ninety_days).raw_bit_errors;
  CHECK(drawn > 200);
  // The two blocks also differ by their variation and by one P/E cycle, so the margin is wider than for chance alone.
  CHECK(pulsed == Approx(drawn).epsilon(0.25));
}

TEST_CASE("single cells: another read finds the same cells") {
  NandParameters p = small_die();
  p.cells.sensing = {};
  p.cells.disturb = {};
  const CellDevice device(p, 1024);
  PerCellCells cells(device, 5, "die");
  const SenseOrder order = whole_page(device, {BlockInDie(1), 5}, 1);
  const SenseResult first = cells.sense(order, 0);
  cells.sense(whole_page(device, {BlockInDie(1), 6}, 1), 0);
  const SenseResult again = cells.sense(order, 0);
  CHECK(first.raw_bit_errors == again.raw_bit_errors);
  CHECK(first.worst_codeword_errors == again.worst_codeword_errors);
  // The errors of the four quarters must add up to the errors of the whole page.
  std::uint32_t sum = 0;
  for (std::uint32_t part = 0; part < 4; ++part) {
    SenseOrder quarter = order;
    quarter.bytes = 1024;
    quarter.first_byte = part * 1024;
    sum += cells.sense(quarter, 0).raw_bit_errors;
  }
  CHECK(sum == first.raw_bit_errors);
}

TEST_CASE("single cells: an adjusted wordline reads with the merged coding") {
  const CellDevice device(small_die(), 1024);
  PerCellCells cells(device, 5, "die");
  const Merging merging = merge(device.coding, 0b110);
  const double before = cells.sense(whole_page(device, {BlockInDie(1), 5}, 1), 0).raw_bit_errors;
  CHECK(cells.adjust({{BlockInDie(1), 5}, &device.coding, &merging, device.wordlines_per_block}, 0));
  SenseOrder order = whole_page(device, {BlockInDie(1), 5}, *merging.new_page[1]);
  order.coding = &merging.coding;
  const SenseResult after = cells.sense(order, 0);
  CHECK(after.raw_bit_errors < before + 5 * std::sqrt(before) + 10);
  const auto snapshot = cells.snapshot(order, 0);
  for (const std::uint8_t place : snapshot.place) {
    REQUIRE(std::find(merging.kept.begin(), merging.kept.end(), place) != merging.kept.end());
  }
}

TEMPLATE_TEST_CASE("an adjusted wordline regains its lost charge", "", StatisticalCells, PerCellCells) {
  NandParameters p = small_die();
  p.condition.pe_cycles = 2000;
  const Merging merging = merge(coding_named(p.coding), 0b110);
  const auto errors = [&](double months, bool adjusted) {
    p.condition.retention_days = 30 * months;
    const CellDevice device(p, 1024);
    TestType cells(device, 5, "die");
    double sum = 0;
    for (std::uint32_t w = 0; w < 16; ++w) {
      SenseOrder order = whole_page(device, {BlockInDie(1), w}, 1);
      if (adjusted) {
        cells.adjust({{BlockInDie(1), w}, &device.coding, &merging, device.wordlines_per_block}, 0);
        order.page_type = *merging.new_page[1];
        order.coding = &merging.coding;
      }
      sum += cells.sense(order, 0).raw_bit_errors;
    }
    return sum;
  };
  const double young = errors(0, true);
  const double topped_up = errors(12, true);
  CHECK(errors(12, false) > 10 * young);
  // The closed form treats the topped-up cells as newly programmed. Single cells receive pulses until no more of them
  // are below their level than ISPP leaves behind. These remaining cells do not regain their charge, so there are more
  // errors.
  CHECK(topped_up > young - 5 * std::sqrt(2 * young));
  CHECK(topped_up < 1.6 * young);
}

TEST_CASE("single cells: an adjustment leaves the next wordline unchanged") {
  NandParameters p = small_die();
  p.cells.interference.vertical = 0.1;
  p.condition.retention_days = 0;
  const CellDevice device(p, 1024);
  PerCellCells cells(device, 5, "die");
  const auto before = cells.snapshot(whole_page(device, {BlockInDie(1), 5}, 0), 0);
  const Merging merging = merge(device.coding, 0b110);
  CHECK(cells.adjust({{BlockInDie(1), 5}, &device.coding, &merging, device.wordlines_per_block}, 0));
  SenseOrder order = whole_page(device, {BlockInDie(1), 5}, 0);
  order.coding = &merging.coding;
  const auto after = cells.snapshot(order, 0);
  // Cells that stay in their state must experience the same coupling as before.
  for (std::size_t k = 0; k < before.vth.size(); ++k) {
    if (before.place[k] == 7) REQUIRE(after.vth[k] == before.vth[k]);
  }
}

TEST_CASE("single cells: errors of a copyback have fixed places") {
  NandParameters p = small_die();
  p.cells.sensing = {};
  p.cells.disturb = {};
  const CellDevice device(p, 1024);
  PerCellCells cells(device, 5, "die");
  cells.erase(BlockInDie(3), 0);
  for (std::uint32_t type = 0; type < 3; ++type)
    cells.program({{BlockInDie(3), 0}, &device.coding, type, 0, nullptr, 200}, 0);
  const SenseOrder order = whole_page(device, {BlockInDie(3), 0}, 1);
  const std::uint32_t whole = cells.sense(order, 0).raw_bit_errors;
  CHECK(whole > 150);
  std::uint32_t sum = 0;
  for (std::uint32_t part = 0; part < 4; ++part) {
    SenseOrder quarter = order;
    quarter.bytes = 1024;
    quarter.first_byte = part * 1024;
    sum += cells.sense(quarter, 0).raw_bit_errors;
  }
  CHECK(sum == whole);
}

TEST_CASE("single cells: blocks in SLC mode hold one page per wordline") {
  const CellDevice device(small_die(), 1024);
  PerCellCells cells(device, 5, "die");
  const Coding& slc = coding_named("slc");
  cells.erase(BlockInDie(4), 0);
  const std::vector<std::byte> page = some_page(device, 9);
  CHECK(cells.program({{BlockInDie(4), 0}, &slc, 0, 0, page.data(), 0, device.layout.page_bytes}, 0));
  SenseOrder order = whole_page(device, {BlockInDie(4), 0}, 0);
  order.coding = &slc;
  CHECK(cells.sense(order, 0).raw_bit_errors < 10);
}

TEST_CASE("single cells: the bits flipped in each codeword are the bits counted") {
  flips_what_it_counts<PerCellCells>();
}
