// SPDX-License-Identifier: Apache-2.0
#include "nand/cell_models/statistical_cells.h"

#include <cmath>

#include "catch.h"
#include "cell_devices.h"
#include "flipped_bits.h"
#include "nand/coding/merging.h"

using namespace nandscape;
using namespace nandscape::nand;

TEST_CASE("statistical cells: error counts have the mean and the variance of their probability") {
  const CellDevice device(small_die(), 1024);
  StatisticalCells cells(device, 5, "die");
  const SenseOrder order = whole_page(device, {BlockInDie(1), 4}, 1, 3);
  constexpr int reads = 4000;
  double sum = 0;
  double squares = 0;
  for (int k = 0; k < reads; ++k) {
    const SenseResult result = cells.sense(order, 0);
    CHECK(result.worst_codeword_errors <= result.raw_bit_errors);
    CHECK(4 * result.worst_codeword_errors >= result.raw_bit_errors);
    sum += result.raw_bit_errors;
    squares += 1.0 * result.raw_bit_errors * result.raw_bit_errors;
  }
  const double mean = sum / reads;
  const double variance = squares / reads - mean * mean;
  const double bits = device.layout.page_bytes * device.layout.bits_per_byte();
  CHECK(mean > 1);
  CHECK(variance == Approx(mean * (1 - mean / bits)).epsilon(5 * std::sqrt(2.0 / reads)));
}

TEST_CASE("statistical cells: the worst codeword is the largest of a multinomial") {
  NandParameters p = small_die();
  p.condition = {};
  p.cells.placement.tail_mv = 50;
  const CellDevice device(p, 1024);
  StatisticalCells cells(device, 5, "die");
  // If a page of four codewords has two errors, both are in the same codeword in a quarter of all cases.
  int two = 0;
  int together = 0;
  for (int k = 0; k < 20000; ++k) {
    const SenseResult result = cells.sense(whole_page(device, {BlockInDie(1), 4}, 0), 0);
    if (result.raw_bit_errors != 2) continue;
    ++two;
    together += result.worst_codeword_errors == 2;
  }
  REQUIRE(two > 500);
  CHECK(std::abs(together - 0.25 * two) < 4 * std::sqrt(0.1875 * two));
}

TEST_CASE("statistical cells: the same seed and name give the same errors") {
  const CellDevice device(small_die(), 1024);
  StatisticalCells one(device, 5, "die"), same(device, 5, "die"), other(device, 5, "another die");
  int different = 0;
  for (std::uint32_t k = 0; k < 40; ++k) {
    const SenseOrder order = whole_page(device, {BlockInDie(k % 8), k % 16}, k % 3);
    const std::uint32_t errors = one.sense(order, 0).raw_bit_errors;
    CHECK(errors == same.sense(order, 0).raw_bit_errors);
    different += errors != other.sense(order, 0).raw_bit_errors;
  }
  CHECK(different > 20);
}

TEST_CASE("statistical cells: each sense is at the temperature of its time") {
  struct Warming final : TemperatureSource {
    double celsius(Tick now) const override { return now < second ? 5 : 85; }
    TemperatureExtremes extremes() const override { return {5, 85}; }
    Tick aged(Tick now) const override { return now; }
    Tick when_aged(Tick aged) const override { return aged; }
  };
  NandParameters p = small_die();
  p.cells.sensing.precharge_cold = 2;
  const PageLayout layout = CellDevice(p, 1024).layout;
  const CellDevice device(p, layout, std::make_shared<Warming>());
  p.condition.temperature_c = 5;
  const CellDevice always_cold(p, layout);
  StatisticalCells cells(device, 5, "die"), cold(always_cold, 5, "die");
  const auto errors = [&](StatisticalCells& of, Tick now) {
    double sum = 0;
    for (std::uint32_t w = 0; w < 16; ++w)
      sum += of.sense(whole_page(device, {BlockInDie(0), w}, w % 3), now).raw_bit_errors;
    return sum;
  };
  const double first = errors(cells, 0);
  CHECK(first == errors(cold, 0));
  CHECK(errors(cells, second) < 0.5 * first);
}

TEST_CASE("statistical cells: younger data have fewer errors, reads disturb") {
  NandParameters p = small_die();
  p.cells.disturb.read_shift_mv = 2000;
  const CellDevice device(p, 1024);
  StatisticalCells cells(device, 5, "die");
  const auto errors = [&](std::uint32_t block) {
    double sum = 0;
    for (std::uint32_t w = 0; w < 16; ++w)
      sum += cells.sense(whole_page(device, {BlockInDie(block), w}, w % 3), 0).raw_bit_errors;
    return sum;
  };
  const double old = errors(0);
  cells.erase(BlockInDie(0), 0);
  for (std::uint32_t w = 0; w < 16; ++w) {
    ProgramOrder order{{BlockInDie(0), w}, &device.coding, 2, 0, nullptr, 0};
    CHECK(cells.program(order, 0));
  }
  const double young = errors(0);
  CHECK(young < old / 2);
  for (int k = 0; k < 20'000; ++k) cells.sense(whole_page(device, {BlockInDie(0), 0}, 0), 0);
  CHECK(errors(0) > 1.5 * young);
}

TEST_CASE("statistical cells: bad blocks and failures") {
  NandParameters p = small_die();
  p.geometry.blocks_per_plane = 4000;
  p.cells.failures.factory_bad_fraction = 0.02;
  p.cells.failures.rated_cycles = 1000;
  p.cells.failures.erase_failure = 0.1;
  const CellDevice device(p, 1024);
  StatisticalCells cells(device, 5, "die");
  int bad = 0;
  int failed = 0;
  for (std::uint32_t block = 0; block < 4000; ++block) {
    bad += cells.factory_bad(BlockInDie(block));
    failed += !cells.erase(BlockInDie(block), 0);
    CHECK(cells.program({{BlockInDie(block), 0}, &device.coding, 0, 0, nullptr, 0}, 0));
  }
  CHECK(std::abs(bad - 80) < 4 * std::sqrt(80.0));
  CHECK(std::abs(failed - 400) < 4 * std::sqrt(400.0));
}

TEST_CASE("statistical cells: errors inherited from a copyback are added") {
  const CellDevice device(small_die(), 1024);
  StatisticalCells cells(device, 5, "die");
  cells.erase(BlockInDie(3), 0);
  for (std::uint32_t type = 0; type < 3; ++type)
    cells.program({{BlockInDie(3), 0}, &device.coding, type, 0, nullptr, 400}, 0);
  CHECK(cells.sense(whole_page(device, {BlockInDie(3), 0}, 1), 0).raw_bit_errors >= 390);
  // A part of a page must contain its share of the errors, however small the part is.
  SenseOrder part = whole_page(device, {BlockInDie(3), 0}, 1);
  part.bytes = 512;
  double sum = 0;
  for (int k = 0; k < 1000; ++k) sum += cells.sense(part, 0).raw_bit_errors;
  cells.erase(BlockInDie(2), 0);
  for (std::uint32_t type = 0; type < 3; ++type)
    cells.program({{BlockInDie(2), 0}, &device.coding, type, 0, nullptr, 4}, 0);
  part.where.block = BlockInDie(2);
  double few = 0;
  for (int k = 0; k < 1000; ++k) few += cells.sense(part, 0).raw_bit_errors;
  // The two pages differ by 396 errors. The part is an eighth of the page and is read 1000 times: 396 / 8 x 1000 =
  // 49,500.
  CHECK(sum - few == Approx(49'500).epsilon(0.05));
  cells.erase(BlockInDie(3), 0);
  for (std::uint32_t type = 0; type < 3; ++type)
    cells.program({{BlockInDie(3), 0}, &device.coding, type, 0, nullptr, 0}, 0);
  CHECK(cells.sense(whole_page(device, {BlockInDie(3), 0}, 1), 0).raw_bit_errors < 400);
}

TEST_CASE("statistical cells: inherited errors stay with their page when states are merged") {
  const CellDevice device(small_die(), 1024);
  StatisticalCells cells(device, 5, "die");
  cells.erase(BlockInDie(3), 0);
  for (std::uint32_t type = 0; type < 3; ++type) {
    cells.program({{BlockInDie(3), 0}, &device.coding, type, 0, nullptr, type == 2 ? 1000u : 0u}, 0);
  }
  const Merging merging = merge(device.coding, 0b110);
  CHECK(cells.adjust({{BlockInDie(3), 0}, &device.coding, &merging, device.wordlines_per_block}, 0));
  const auto errors = [&](std::uint32_t page_type) {
    SenseOrder order = whole_page(device, {BlockInDie(3), 0}, *merging.new_page[page_type]);
    order.coding = &merging.coding;
    return cells.sense(order, 0).raw_bit_errors;
  };
  CHECK(errors(1) < 500);
  CHECK(errors(2) > 900);
}

TEST_CASE("statistical cells: a smaller ISPP step takes longer and misreads less") {
  const CellDevice device(small_die(), 1024);
  StatisticalCells cells(device, 5, "die");
  CHECK(cells.program_time_factor(0) == 1);
  CHECK(cells.program_time_factor(150) > 1.4);
  double fine = 0;
  double coarse = 0;
  cells.erase(BlockInDie(0), 0);
  cells.erase(BlockInDie(1), 0);
  for (std::uint32_t w = 0; w < 16; ++w) {
    for (std::uint32_t type = 0; type < 3; ++type) {
      cells.program({{BlockInDie(0), w}, &device.coding, type, 150, nullptr, 0}, 0);
      cells.program({{BlockInDie(1), w}, &device.coding, type, 350, nullptr, 0}, 0);
    }
    fine += cells.sense(whole_page(device, {BlockInDie(0), w}, 1), 0).raw_bit_errors;
    coarse += cells.sense(whole_page(device, {BlockInDie(1), w}, 1), 0).raw_bit_errors;
  }
  CHECK(fine < coarse / 3);
}

TEST_CASE("statistical cells: the bits flipped in each codeword are the bits counted") {
  flips_what_it_counts<StatisticalCells>();
}
