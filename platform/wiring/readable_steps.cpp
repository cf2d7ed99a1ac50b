// SPDX-License-Identifier: Apache-2.0
#include "platform/wiring/readable_steps.h"

#include <cmath>
#include <memory>

#include "nand/cells/wordline_reads.h"
#include "platform/wiring/predicted_rber.h"

namespace nandscape {

namespace {

// Returns the raw bit error rate at which half of the pages are decoded. A page is decoded if all of its codewords are
// decoded.
double half_of_pages_rber(const FlashDeviceParameters& p) {
  const PageLayout layout = ecc::page_layout(p.ecc, p.nand.geometry.page_bytes, p.nand.geometry.spare_bytes);
  return correctable_rber(p, 1 - std::pow(0.5, 1.0 / layout.codewords()));
}

}  // namespace

ReadableSteps::ReadableSteps(const FlashDeviceParameters& parameters)
    : device_(parameters.nand, parameters.nand.geometry.page_bytes),
      correctable_rber_(half_of_pages_rber(parameters)) {}

std::vector<std::optional<std::uint8_t>> ReadableSteps::operator()(const controller::BlockAge& block) const {
  const nand::CellCondition condition = full_block_condition(block, device_.condition.temperature_c);
  const nand::VariationParameters& v = device_.cells.variation;
  std::vector<std::optional<std::uint8_t>> steps(v.layers);
  for (std::uint32_t layer = 0; layer < v.layers; ++layer) {
    const nand::WordlineReads wordline(device_.model, device_.coding, condition,
                                       nand::page_variation(v, nand::layer_profile(layer, v.layers), 0, 0));
    const auto readable = [&](std::uint32_t step) {
      for (std::uint32_t type = 0; type < device_.coding.pages(); ++type) {
        if (wordline.misread(type, step) > correctable_rber_) return false;
      }
      return true;
    };
    for (std::uint32_t step = 0; step <= device_.cells.read_levels.retry_steps && !steps[layer]; ++step) {
      if (readable(step)) steps[layer] = static_cast<std::uint8_t>(step);
    }
  }
  return steps;
}

controller::LayerSteps readable_steps(const FlashDeviceParameters& parameters) {
  return [steps = std::make_shared<const ReadableSteps>(parameters)](const controller::BlockAge& block) {
    return (*steps)(block);
  };
}

}  // namespace nandscape
