// SPDX-License-Identifier: Apache-2.0
// Tests soft reads with both cell models: the number of misreads, and the results of the single senses.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "catch.h"
#include "cell_devices.h"
#include "flipped_bits.h"
#include "nand/cell_models/per_cell_cells.h"
#include "nand/cell_models/statistical_cells.h"
#include "nand/cells/soft_sensing.h"

using namespace nandscape;
using namespace nandscape::nand;

namespace {

constexpr std::uint32_t most_levels = 7;

// Returns a die whose cells have the error rates of a device at the end of its life.
NandParameters worn_die() {
  NandParameters p = small_die();
  p.condition.pe_cycles = 3000;
  p.condition.retention_days = 200;
  return p;
}

std::unique_ptr<CellArray> make_cells(bool one_by_one, const CellDevice& device) {
  if (one_by_one) return std::make_unique<PerCellCells>(device, 5, "die");
  return std::make_unique<StatisticalCells>(device, 5, "die");
}

// Numbers of bits. The first index is whether the hard decision is wrong; the second is the number of wrong senses.
using Found = std::array<std::array<double, most_levels + 1>, 2>;

// Makes a soft read of a page of random bytes, and counts the results of its senses.
void read_softly(CellArray& cells, const CellDevice& device, SenseOrder order, RandomStream& random, Found& found) {
  const PageLayout& layout = device.layout;
  std::vector<std::byte> page(layout.total_bytes());
  for (std::byte& byte : page) byte = static_cast<std::byte>(random() & 0xff);
  const std::vector<std::byte> written = page;
  std::vector<std::uint8_t> ones(8 * page.size());
  order.data = page.data();
  order.sensed_ones = ones;
  const SenseResult result = cells.sense(order, 0);
  std::uint32_t misreads = 0;
  for (std::uint32_t codeword = 0; codeword < layout.codewords(); ++codeword) {
    for (std::uint32_t k = 0; k < layout.codeword_bits; ++k) {
      const std::uint32_t at = layout.page_bit(codeword, k);
      const auto bit_of = [&](const std::vector<std::byte>& of) {
        return (std::to_integer<std::uint32_t>(of[at / 8]) >> at % 8 & 1) != 0;
      };
      const bool bit = bit_of(written);
      const bool misread = bit_of(page) != bit;
      REQUIRE(ones[at] <= order.sensing_levels);
      found[misread][bit ? order.sensing_levels - ones[at] : ones[at]] += 1;
      misreads += misread;
    }
  }
  REQUIRE(misreads == result.raw_bit_errors);
}

bool agree(double counted, double trials, double probability) {
  return std::abs(counted - trials * probability) < 4.5 * std::sqrt(trials * probability * (1 - probability)) + 1;
}

}  // namespace

TEST_CASE("soft reads: misreads of the hard decision do not depend on the number of levels") {
  const CellDevice device(worn_die(), 1024);
  const double bits = device.layout.page_bytes * device.layout.bits_per_byte();
  for (std::uint32_t page = 0; page < 3; ++page) {
    const SenseOrder hard = whole_page(device, {BlockInDie(1), 5}, page);
    const MisreadTables::Read reading = first_reading(device, hard);
    const WordlineReads reads = first_reads(device, hard, 5, "die");
    const double misread =
        reads.misread(page, device.misreads.levels(reading, reads, false), device.model.standard_timing());
    for (std::uint32_t levels = 1; levels <= most_levels; ++levels) {
      for (const bool one_by_one : {false, true}) {
        // Repeated reads of single cells find the same errors, apart from misreads of the senses, so one read is
        // enough.
        const int times = one_by_one ? 1 : 40;
        const auto cells = make_cells(one_by_one, device);
        SenseOrder order = hard;
        order.sensing_levels = levels;
        double counted = 0;
        for (int k = 0; k < times; ++k) {
          const SenseResult result = cells->sense(order, 0);
          counted += result.raw_bit_errors;
          // The probability that the cells report for the decoder must be correct up to interpolation errors.
          if (levels > 1) CHECK(result.misread_probability == Approx(misread).epsilon(2e-3));
        }
        CAPTURE(page, levels, one_by_one, counted, times * bits * misread);
        CHECK(agree(counted, times * bits, misread));
      }
    }
  }
}

TEST_CASE("soft reads: senses of both fidelities agree with the closed form") {
  NandParameters p = worn_die();
  // The phases of a sense are either so short that many senses misread at random, or sufficiently long.
  const double precharge = GENERATE(3.02, 6.0);
  p.cells.sensing.precharge_median_us = precharge;
  const CellDevice device(p, odd_layout());
  RandomStream random(3, "pages");
  for (std::uint32_t page = 0; page < 3; ++page) {
    for (const std::uint32_t levels : {2u, 3u, 6u, 7u}) {
      SenseOrder order = whole_page(device, {BlockInDie(1), 5}, page);
      order.sensing_levels = levels;
      const MisreadTables::Read reading = first_reading(device, order);
      const WordlineReads reads = first_reads(device, order, 5, "die");
      const WrongSenses closed_form(reads, page, device.misreads.levels(reading, reads, false),
                                    soft_offsets(levels, device.misreads.soft_spacing(reading, levels)),
                                    reads.sense_misreads(device.model.standard_timing()));
      for (const bool one_by_one : {false, true}) {
        const auto cells = make_cells(one_by_one, device);
        Found found{};
        for (int k = 0; k < (one_by_one ? 1 : 4); ++k) read_softly(*cells, device, order, random, found);
        double all = 0;
        for (const auto& counts : found) {
          for (const double count : counts) all += count;
        }
        for (const bool misread : {false, true}) {
          for (std::uint32_t wrong = 0; wrong <= levels; ++wrong) {
            const double expected = closed_form.probability(misread, wrong);
            CAPTURE(precharge, page, levels, one_by_one, misread, wrong, found[misread][wrong], all * expected);
            CHECK(agree(found[misread][wrong], all, expected));
          }
        }
      }
    }
  }
}

TEST_CASE("soft reads: exactly the requested part of a page is sensed") {
  const CellDevice device(worn_die(), odd_layout());
  for (const bool one_by_one : {false, true}) {
    const auto cells = make_cells(one_by_one, device);
    std::vector<std::byte> page(device.layout.total_bytes(), std::byte{0xff});
    std::vector<std::uint8_t> ones(8 * page.size());
    SenseOrder order = whole_page(device, {BlockInDie(1), 5}, 1);
    order.first_byte = 1024;
    order.bytes = 2048;
    order.data = page.data();
    order.sensing_levels = 3;
    order.sensed_ones = ones;
    cells->sense(order, 0);
    std::uint32_t doubted = 0;
    for (std::uint32_t k = 0; k < device.layout.codeword_bits; ++k) {
      for (const std::uint32_t codeword : {1u, 2u}) doubted += ones[device.layout.page_bit(codeword, k)] < 3;
    }
    CHECK(doubted > 20);
  }
}

TEST_CASE("soft reads: levels have the configured spacing") {
  std::array<double, 2> doubted{};  // number of cells whose senses disagree
  const double given_mv[] = {20, 60};
  for (std::size_t k = 0; k < 2; ++k) {
    NandParameters p = worn_die();
    p.cells.read_levels.soft_spacing_mv = given_mv[k];
    const CellDevice device(p, odd_layout());
    SenseOrder order = whole_page(device, {BlockInDie(1), 5}, 1);
    order.sensing_levels = 2;
    CHECK(device.misreads.soft_spacing(first_reading(device, order), 2) == given_mv[k]);
    RandomStream random(3, "pages");
    PerCellCells cells(device, 5, "die");
    Found found{};
    read_softly(cells, device, order, random, found);
    doubted[k] = found[0][1] + found[1][1];
  }
  CHECK(doubted[0] > 50);
  CHECK(doubted[1] > 2 * doubted[0]);
}

TEST_CASE("soft reads: each level disturbs like a read") {
  NandParameters p = small_die();
  p.cells.disturb.read_shift_mv = 100000;
  const CellDevice device(p, 1024);
  for (const bool one_by_one : {false, true}) {
    const auto soft = make_cells(one_by_one, device);
    const auto hard = make_cells(one_by_one, device);
    SenseOrder order = whole_page(device, {BlockInDie(1), 5}, 0);
    const std::uint32_t before = soft->sense(order, 0).raw_bit_errors;
    hard->sense(order, 0);
    for (int k = 0; k < 700; ++k) hard->sense(order, 0);
    order.sensing_levels = 7;
    for (int k = 0; k < 100; ++k) soft->sense(order, 0);
    order.sensing_levels = 1;
    const std::uint32_t after = soft->sense(order, 0).raw_bit_errors;
    CHECK(std::abs(1.0 * after - before) > 0.2 * before);
    CHECK(after == Approx(hard->sense(order, 0).raw_bit_errors).epsilon(0.1));
  }
}
