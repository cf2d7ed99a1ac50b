// SPDX-License-Identifier: Apache-2.0
#include "platform/config/wordline_speeds.h"

#include <array>

#include "catch.h"
#include "nand/cell_models/cell_device.h"
#include "nand/cells/wordline_reads.h"
#include "platform/config/configuration.h"

namespace nandscape {
namespace {

nand::NandParameters tlc() {
  const std::vector<Override> changes{{"nand.cells.set", Value(std::string("tlc_3d_48"))},
                                      {"nand.coding", Value(std::string("tlc_232"))}};
  return load_configuration("bare", changes).parameters.nand;
}

constexpr std::array<double, 8> alike = {0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125};

TEST_CASE("wordline speeds: with all states alike they equal the error rates of the cells") {
  const nand::NandParameters parameters = tlc();
  const std::array steps{250.0, 400.0};
  const auto table = wordline_speeds(parameters, {.pe_cycles = 2000, .months = 6}, steps, 1e-2);
  const nand::CellDevice device(parameters, parameters.geometry.page_bytes);
  for (std::uint32_t step = 0; step < steps.size(); ++step) {
    const nand::WordlineReads wordline(device.model, device.coding, {.kilocycles = 2, .retention_months = 6}, {},
                                       steps[step]);
    for (std::uint32_t page = 0; page < 3; ++page) {
      CAPTURE(step, page);
      CHECK(table.cdber(page, step, alike) ==
            Approx(wordline.misread_by_vth(page, wordline.tracked_levels())).epsilon(1e-3));
    }
  }
  CHECK(table.steps()[1].program_us < table.steps()[0].program_us);
}

TEST_CASE("wordline speeds: data with a shorter retention time allow a larger step") {
  const nand::NandParameters parameters = tlc();
  constexpr double correctable = 8e-3;
  double before = 700;
  for (const double months : {0.5, 2.3, 12.0}) {
    const double step = largest_step_mv(parameters, {.pe_cycles = 3000, .months = months}, 700, correctable);
    CHECK(step < before);
    before = step;
    const auto at = [&](double mv) {
      const std::array steps{250.0, mv};
      return wordline_speeds(parameters, {.pe_cycles = 3000, .months = months}, steps, correctable)
          .largest_legal(alike);
    };
    CHECK(at(step) == 1);
    CHECK(at(step + 1) == 0);
  }
  // If even the default step is too large, the default step is returned. The result never exceeds the given maximum.
  CHECK(largest_step_mv(parameters, {.pe_cycles = 3000, .months = 12}, 700, 1e-9) == 250);
  CHECK(largest_step_mv(parameters, {.pe_cycles = 0, .months = 0}, 300, correctable) == 300);
}

}  // namespace
}  // namespace nandscape
