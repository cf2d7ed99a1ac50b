// SPDX-License-Identifier: Apache-2.0
#include "nand/cell_models/cell_device.h"

#include <algorithm>

namespace nandscape::nand {

namespace {

const CellParameters& checked(const CellParameters& cells, const Coding& coding) {
  check(cells, coding.states());
  return cells;
}

}  // namespace

CellDevice::CellDevice(const NandParameters& p, const PageLayout& page_layout,
                       std::shared_ptr<const TemperatureSource> running_temperature, std::shared_ptr<WorkTeam> threads)
    : coding(coding_named(p.coding)),
      cells(checked(p.cells, coding)),
      condition(p.condition),
      temperature(std::move(running_temperature)),
      model(p.cells, {p.timing.t_pre_us, p.timing.t_eval_us, p.timing.t_disch_us}),
      misreads(model, cells.variation),
      blocks_per_die(p.geometry.planes_per_die * p.geometry.blocks_per_plane),
      wordlines_per_block((p.geometry.pages_per_block + coding.pages() - 1) / coding.pages()),
      first_layer(p.geometry.first_layer),
      layout(page_layout),
      team(std::move(threads)) {}

double CellDevice::program_time_factor(double step_mv) const {
  if (step_mv == 0) return 1;
  const auto known = std::ranges::find(known_factors_, step_mv, &std::pair<double, double>::first);
  if (known != known_factors_.end()) return known->second;
  const double own = expected_ispp(ispp_setup(cells)).latency_us(cells.ispp);
  const double factor = expected_ispp(ispp_setup(cells, step_mv)).latency_us(cells.ispp) / own;
  known_factors_.emplace_back(step_mv, factor);
  return factor;
}

}  // namespace nandscape::nand
