// SPDX-License-Identifier: Apache-2.0
#include "nand/cell_models/misread_tables.h"

#include <cmath>

#include "catch.h"
#include "cell_devices.h"

using namespace nandscape;
using namespace nandscape::nand;

namespace {

MisreadTables::Read read_of(const CellDevice& device, std::uint32_t page_type, std::uint32_t retry_step,
                            double age_months) {
  MisreadTables::Read read;
  read.coding = &device.coding;
  read.page_type = page_type;
  read.retry_step = retry_step;
  read.cycles = 1500;
  read.age_months = age_months;
  return read;
}

// Returns the fewest reads, up to 5000, that change the condition of a block. Returns 0 if no number of reads does.
std::uint32_t tables_count_from(const NandParameters& parameters, std::uint32_t cycles) {
  const CellDevice device(parameters, 1024);
  MisreadTables::Read read = read_of(device, 0, 0, 1);
  read.cycles = cycles;
  for (std::uint32_t reads = 1; reads <= 5000; ++reads) {
    read.reads = reads;
    if (device.misreads.condition(read).kiloreads > 0) return reads;
  }
  return 0;
}

}  // namespace

TEST_CASE("misread tables: interpolation agrees with the model") {
  const CellDevice device(small_die(), 1024);
  const PageVariations variations(device.cells.variation, device.wordlines_per_block, 1);
  MisreadTables tables(device.model, device.cells.variation);
  for (const double months : {0.0, 0.3, 5.0}) {
    for (const std::uint32_t step : {0u, 4u, 9u}) {
      for (std::uint32_t w = 0; w < device.wordlines_per_block; ++w) {
        const MisreadTables::Read read = read_of(device, w % 3, step, months);
        const WordlineReads exact(device.model, device.coding, tables.condition(read), variations.of(BlockInDie(2), w));
        CAPTURE(months, step, w);
        CHECK(tables.misread(read, variations.logarithms(BlockInDie(2), w)) ==
              Approx(exact.misread(w % 3, step)).epsilon(0.005));
      }
    }
  }
}

TEST_CASE("misread tables: rounding of conditions is small") {
  const CellDevice device(small_die(), 1024);
  const PageVariations variations(device.cells.variation, device.wordlines_per_block, 1);
  const MisreadTables tables(device.model, device.cells.variation);
  for (const double months : {1e-3, 0.01, 0.7, 3.0, 12.0, 100.0}) {
    CHECK(tables.condition(read_of(device, 0, 0, months)).retention_months == Approx(months).epsilon(0.01));
  }
  MisreadTables::Read read = read_of(device, 0, 0, 1);
  read.reads = 30'000;
  CHECK(tables.condition(read).kiloreads == Approx(30).epsilon(0.07));
  CHECK(tables.condition(read).kilocycles == 1.5);
}

// Reads count from 100 on if they shift all cells. If they lift only some cells, they count once these are a millionth.
TEST_CASE("misread tables: reads count as soon as they disturb enough cells") {
  NandParameters p = small_die();
  CHECK(tables_count_from(p, 0) == 100);
  p.cells.disturb.read_shift_mv = 0;
  CHECK(tables_count_from(p, 0) == 0);
  p.cells.disturb.prone_share = 3.9e-5;
  p.cells.disturb.prone_lift_mv = 300;
  p.cells.disturb.read_wear = 0.5;
  for (const std::uint32_t cycles : {0u, 1500u, 5000u}) {
    const std::uint32_t from = tables_count_from(p, cycles);
    const auto lifted = [&](double reads) {
      return lifted_share(p.cells.disturb, {.kilocycles = cycles / 1000.0, .kiloreads = reads / 1000}, 0);
    };
    CHECK(lifted(from) >= 1e-6);
    CHECK(lifted(from - 1) < 1e-6);
  }
}

TEST_CASE("misread tables: each setting of the features has its own table") {
  const CellDevice device(small_die(), 1024);
  const PageVariations variations(device.cells.variation, device.wordlines_per_block, 1);
  MisreadTables tables(device.model, device.cells.variation);
  const std::vector<std::int16_t> offsets(7, 60);
  MisreadTables::Read read = read_of(device, 1, 0, 0.1);
  const SenseTiming fast = {11, 5, 10};
  CHECK(tables.setting(nullptr, {}) == 0);
  CHECK(tables.setting(&device.model.standard_timing(), {}) == 0);
  const double standard = tables.misread(read, {0, 0});
  read.setting = tables.setting(&fast, {});
  const double shortened = tables.misread(read, {0, 0});
  read.setting = tables.setting(nullptr, offsets);
  const double moved = tables.misread(read, {0, 0});
  CHECK(shortened > standard);
  CHECK(moved > 1.5 * standard);
  CHECK(tables.setting(&fast, {}) == 1);
  const WordlineReads wordline(device.model, device.coding, tables.condition(read), {});
  auto levels = wordline.levels(0);
  for (double& level : levels) level += 60;
  CHECK(moved == Approx(wordline.misread(1, levels, device.model.standard_timing())).epsilon(0.005));
}
