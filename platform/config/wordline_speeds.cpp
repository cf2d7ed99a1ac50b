// SPDX-License-Identifier: Apache-2.0
#include "platform/config/wordline_speeds.h"

#include <utility>
#include <vector>

#include "nand/cell_models/cell_device.h"
#include "nand/cells/wordline_reads.h"
#include "nand/ispp/ispp.h"

namespace nandscape {

namespace {

controller::WordlineSpeedTable::Step step_of(const nand::CellDevice& device, const nand::CellCondition& kept,
                                             double step_mv) {
  const nand::WordlineReads wordline(device.model, device.coding, kept, {}, step_mv);
  const std::vector<double> levels =
      device.cells.read_levels.tracking ? wordline.tracked_levels() : wordline.table_levels(0);
  const nand::IsppResult ispp = nand::expected_ispp(nand::ispp_setup(device.cells, step_mv));
  controller::WordlineSpeedTable::Step step{.step_mv = step_mv, .program_us = ispp.latency_us(device.cells.ispp)};
  for (std::uint32_t state = 0; state < device.coding.states(); ++state) {
    const nand::StateDistribution& cells = wordline.states()[state];
    step.left.push_back(state == 0 ? 0 : cells.below(levels[state - 1]));
    step.right.push_back(state == levels.size() ? 0 : cells.above(levels[state]));
  }
  return step;
}

}  // namespace

controller::WordlineSpeedTable wordline_speeds(const nand::NandParameters& parameters, const KeptData& kept,
                                               std::span<const double> steps_mv, double correctable_ber) {
  const nand::CellDevice device(parameters, parameters.geometry.page_bytes);
  nand::CellCondition condition;
  condition.kilocycles = kept.pe_cycles / 1000;
  condition.retention_months = kept.months;
  std::vector<std::uint8_t> bits;
  for (std::uint32_t state = 0; state < device.coding.states(); ++state) {
    bits.push_back(static_cast<std::uint8_t>(device.coding.bits(state)));
  }
  std::vector<controller::WordlineSpeedTable::Step> steps;
  for (const double step_mv : steps_mv) steps.push_back(step_of(device, condition, step_mv));
  return {std::move(bits), std::move(steps), correctable_ber};
}

double largest_step_mv(const nand::NandParameters& parameters, const KeptData& kept, double largest_mv,
                       double correctable_ber) {
  constexpr double resolution_mv = 1;
  const double own_mv = parameters.cells.placement.step_mv;
  const std::vector<double> all_alike(nand::coding_named(parameters.coding).pages(), 0.5);
  const auto legal = [&](double step_mv) {
    const std::vector<double> steps{own_mv, step_mv};
    return wordline_speeds(parameters, kept, steps, correctable_ber).largest_legal(all_alike) == 1;
  };
  double low = own_mv, high = largest_mv;
  if (high > low && legal(high)) return high;
  while (high - low > resolution_mv) {
    const double middle = (low + high) / 2;
    (legal(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace nandscape
