// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "catch.h"
#include "cell_devices.h"
#include "nand/cell_models/per_cell_cells.h"
#include "nand/cell_models/statistical_cells.h"
#include "nand/coding/merging.h"
#include "vref_search.h"

using namespace nandscape;
using namespace nandscape::nand;

namespace {

NandParameters aged_die() {
  NandParameters p = small_die();
  p.condition.pe_cycles = 3000;
  p.condition.retention_days = 365;
  return p;
}

std::vector<std::unique_ptr<CellArray>> both_fidelities(const CellDevice& device) {
  std::vector<std::unique_ptr<CellArray>> both;
  both.push_back(std::make_unique<StatisticalCells>(device, 5, "die"));
  both.push_back(std::make_unique<PerCellCells>(device, 5, "die"));
  return both;
}

// Returns the misread probability of a page in closed form, with its read levels moved by the offsets.
double misread(const CellDevice& device, const SenseOrder& order, const std::vector<std::int16_t>& offsets_mv) {
  SenseOrder moved = order;
  moved.vref_offsets_mv = offsets_mv;
  const WordlineReads reads = first_reads(device, moved, 5, "die");
  return reads.misread(moved.page_type, device.misreads.levels(first_reading(device, moved), reads, false),
                       device.model.standard_timing());
}

// Returns the offsets that move the default levels to the optimum levels of the wordline.
std::vector<std::int16_t> optimum_offsets(const CellDevice& device, const SenseOrder& order) {
  const WordlineReads reads = first_reads(device, order, 5, "die");
  const std::vector<double> levels = reads.levels(0);
  std::vector<std::int16_t> offsets;
  for (std::size_t k = 0; k < levels.size(); ++k) {
    offsets.push_back(static_cast<std::int16_t>(std::lround(reads.optimum_levels()[k] - levels[k])));
  }
  return offsets;
}

}  // namespace

TEST_CASE("VREF search: comes close to the optimum of an aged wordline from its default levels") {
  const CellDevice device(aged_die(), 1024);
  for (const auto& cells : both_fidelities(device)) {
    // The last wordline is left out. Its neighbour is missing in the single cells, so no coupling shifts its cells.
    for (std::uint32_t wordline = 0; wordline < 15; wordline += 7) {
      for (std::uint32_t page = 0; page < 3; ++page) {
        const SenseOrder order = whole_page(device, {BlockInDie(1), wordline}, page);
        const VrefSearchResult found = search_vref(*cells, order, {}, 0);
        const std::vector<std::int16_t> optimum = optimum_offsets(device, order);
        CAPTURE(wordline, page, found.errors_before, found.errors_after, found.reads);
        REQUIRE(found.offsets_mv.size() == 7);
        CHECK(misread(device, order, found.offsets_mv) < 1.3 * misread(device, order, optimum));
        CHECK(found.errors_after < found.errors_before / 3);
        CHECK(found.reads < 120);
        for (std::uint32_t level = 1; level <= 7; ++level) {
          const std::int16_t offset = found.offsets_mv[level - 1];
          CAPTURE(level, offset, optimum[level - 1]);
          const auto own = device.coding.levels(page);
          if (std::find(own.begin(), own.end(), level) == own.end()) {
            CHECK(offset == 0);
          } else if (level > 1) {  // the erased state is so far away that the lowest level may be almost anywhere
            CHECK(std::abs(offset - optimum[level - 1]) <= 40);
          }
        }
        // A read at these offsets must have about as many errors as the search reported.
        SenseOrder again = order;
        again.vref_offsets_mv = found.offsets_mv;
        const double errors = cells->sense(again, 0).raw_bit_errors;
        CHECK(std::abs(errors - found.errors_after) < 6 * std::sqrt(errors + found.errors_after + 1));
      }
    }
  }
}

TEST_CASE("VREF search: continues from existing offsets, and never makes a page worse") {
  const CellDevice device(aged_die(), 1024);
  for (const auto& cells : both_fidelities(device)) {
    SenseOrder order = whole_page(device, {BlockInDie(1), 5}, 1);
    const VrefSearchResult first = search_vref(*cells, order, {}, 0);
    order.vref_offsets_mv = first.offsets_mv;
    const VrefSearchResult second = search_vref(*cells, order, {.coarse_mv = 10}, 0);
    CHECK(second.errors_after <= second.errors_before);
    CHECK(second.reads < first.reads);
    CHECK(misread(device, order, second.offsets_mv) < 1.3 * misread(device, order, optimum_offsets(device, order)));
  }
}

TEST_CASE("VREF search: moves no level further than the die can") {
  const CellDevice device(aged_die(), 1024);
  for (const auto& cells : both_fidelities(device)) {
    const VrefSearchResult found = search_vref(*cells, whole_page(device, {BlockInDie(1), 5}, 1), {.most_mv = 60}, 0);
    CHECK(found.errors_after < found.errors_before);
    for (const std::int16_t offset : found.offsets_mv) CHECK(std::abs(offset) <= 60);
    const VrefSearchResult stuck = search_vref(*cells, whole_page(device, {BlockInDie(1), 5}, 1), {.most_mv = 0}, 0);
    CHECK(stuck.offsets_mv == std::vector<std::int16_t>(7, 0));
  }
}

TEST_CASE("VREF search: moves the levels that remain in a merged coding") {
  const CellDevice device(aged_die(), 1024);
  PerCellCells cells(device, 5, "die");
  const Merging merging = merge(device.coding, 0b110);
  CHECK(cells.adjust({{BlockInDie(1), 5}, &device.coding, &merging, device.wordlines_per_block}, 0));
  SenseOrder order = whole_page(device, {BlockInDie(1), 5}, *merging.new_page[1]);
  order.coding = &merging.coding;
  const VrefSearchResult found = search_vref(cells, order, {}, 0);
  CHECK(found.errors_after < found.errors_before);
  for (std::uint32_t k = 0; k < found.offsets_mv.size(); ++k) {
    bool used = false;
    for (const std::uint8_t level : merging.coding.levels(order.page_type))
      used |= merging.coding.place(level) == k + 1;
    CAPTURE(k);
    if (!used) CHECK(found.offsets_mv[k] == 0);
  }
}
