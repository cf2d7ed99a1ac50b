// SPDX-License-Identifier: Apache-2.0
#include "platform/config/wordline_speeds.h"

#include <utility>
#include <vector>

#include "nand/cells/wordline_reads.h"
#include "nand/ispp/ispp.h"

namespace nandscape {

StateMisreads state_misreads(const nand::CellDevice& device, const nand::CellCondition& kept, FinalRead read,
                             double step_mv) {
  const nand::WordlineReads wordline(device.model, device.coding, kept, {}, step_mv);
  const bool tracked = read == FinalRead::tracked && device.cells.read_levels.tracking;
  const std::vector<double> levels = tracked ? wordline.tracked_levels() : wordline.table_levels(0);
  StateMisreads misreads;
  for (std::uint32_t state = 0; state < device.coding.states(); ++state) {
    const nand::StateDistribution& cells = wordline.states()[state];
    misreads.left.push_back(state == 0 ? 0 : cells.below(levels[state - 1]));
    misreads.right.push_back(state == levels.size() ? 0 : cells.above(levels[state]));
  }
  return misreads;
}

controller::WordlineSpeedTable wordline_speeds(const nand::CellDevice& device, const nand::CellCondition& kept,
                                               FinalRead read, std::span<const double> steps_mv,
                                               double correctable_ber) {
  std::vector<std::uint8_t> bits;
  for (std::uint32_t state = 0; state < device.coding.states(); ++state) {
    bits.push_back(static_cast<std::uint8_t>(device.coding.bits(state)));
  }
  std::vector<controller::WordlineSpeedTable::Step> steps;
  for (const double step_mv : steps_mv) {
    const nand::IsppResult ispp = nand::expected_ispp(nand::ispp_setup(device.cells, step_mv));
    StateMisreads misreads = state_misreads(device, kept, read, step_mv);
    steps.push_back({step_mv, ispp.latency_us(device.cells.ispp), std::move(misreads.left), std::move(misreads.right)});
  }
  return {std::move(bits), std::move(steps), correctable_ber};
}

controller::WordlineSpeedTable wordline_speeds(const nand::NandParameters& parameters, const KeptData& kept,
                                               std::span<const double> steps_mv, double correctable_ber) {
  const nand::CellDevice device(parameters, parameters.geometry.page_bytes);
  nand::CellCondition condition;
  condition.kilocycles = kept.pe_cycles / 1000;
  condition.retention_months = kept.months;
  return wordline_speeds(device, condition, FinalRead::tracked, steps_mv, correctable_ber);
}

double largest_step_mv(const nand::NandParameters& parameters, const KeptData& kept, double largest_mv,
                       double correctable_ber) {
  constexpr double resolution_mv = 1;
  const double own_mv = parameters.cells.placement.step_mv;
  const std::uint32_t states = nand::coding_named(parameters.coding).states();
  const std::vector<double> all_alike(states, 1.0 / states);
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
