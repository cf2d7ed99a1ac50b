// SPDX-License-Identifier: Apache-2.0
#include "platform/wiring/readable_steps.h"

#include <algorithm>
#include <cmath>

#include "catch.h"
#include "platform/config/configuration.h"
#include "platform/config/yaml_reader.h"
#include "platform/wiring/predicted_rber.h"

using namespace nandscape;

namespace {

PlatformParameters device_of(const std::string& text) {
  const std::string tlc = "{simulation: {cells: statistical}, nand: {coding: tlc_232, cells: {set: tlc_3d_48}}";
  return resolve_configuration(read_yaml(tlc + text + "}", {"drive.yaml", 1}), {}).parameters;
}

}  // namespace

TEST_CASE("with a tracking table, pages are read at the first step within the capture range of their drift") {
  const PlatformParameters p = device_of("");
  const nand::CellDevice device(p.nand, p.nand.geometry.page_bytes);
  const nand::ReadLevelParameters& table = p.nand.cells.read_levels;
  const nand::VariationParameters& v = p.nand.cells.variation;
  const controller::BlockAge block = GENERATE(controller::BlockAge{2190, 0, 0}, controller::BlockAge{876, 2000, 0},
                                              controller::BlockAge{4380, 2000, 0}, controller::BlockAge{8760, 2000, 0});
  const auto steps = ReadableSteps(p)(block);
  REQUIRE(steps.size() == v.layers);
  for (std::uint32_t layer = 0; layer < v.layers; ++layer) {
    const nand::PageVariation median = nand::page_variation(v, nand::layer_profile(layer, v.layers), 0, 0);
    const double drift = device.model.drift(full_block_condition(block, p.nand.condition.temperature_c), median);
    CAPTURE(block.age_hours, block.pe_cycles, layer, drift);
    REQUIRE(drift > table.capture_range_mv);
    REQUIRE(steps[layer] == std::ceil((drift - table.capture_range_mv) / table.retry_step_mv));
  }
  // The rate at which cells lose charge depends on their layer, so the steps of the layers must differ.
  CHECK(std::ranges::max(steps) > std::ranges::min(steps));
}

TEST_CASE("freshly programmed pages are read at the default levels") {
  for (const auto& step : ReadableSteps(device_of(""))({0, 2000, 0})) REQUIRE(step == 0);
}

TEST_CASE("unreadable pages have no step") {
  for (const auto& step : ReadableSteps(device_of(", ecc: {correctable_bits: 2}"))({8760, 2000, 0})) {
    REQUIRE_FALSE(step.has_value());
  }
}
