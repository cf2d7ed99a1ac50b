// SPDX-License-Identifier: Apache-2.0
// The properties of cells that all dies of a device have in common.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/temperature_source.h"
#include "core/work_team.h"
#include "nand/cell_models/misread_tables.h"
#include "nand/cells/vth_model.h"
#include "nand/ispp/ispp.h"
#include "nand/parameters.h"
#include "protocol/page_layout.h"

namespace nandscape::nand {

struct CellDevice {
  // Throws ConfigError if the constants of the cells do not match the coding, for example in the number of states.
  CellDevice(const NandParameters& parameters, const PageLayout& page_layout,
             std::shared_ptr<const TemperatureSource> running_temperature,
             std::shared_ptr<WorkTeam> threads = std::make_shared<WorkTeam>());
  // A device that always has the temperature given in the parameters.
  CellDevice(const NandParameters& parameters, const PageLayout& page_layout)
      : CellDevice(parameters, page_layout, std::make_shared<ConstantTemperature>(parameters.condition.temperature_c)) {
  }
  // A device whose spare bytes are divided equally among codewords of `codeword_bytes` data bytes.
  CellDevice(const NandParameters& parameters, std::uint32_t codeword_bytes)
      : CellDevice(parameters, PageLayout::sharing_spare(parameters.geometry.page_bytes,
                                                         parameters.geometry.spare_bytes, codeword_bytes)) {}

  const Coding& coding;
  CellParameters cells;
  ConditionParameters condition;
  std::shared_ptr<const TemperatureSource> temperature;  // temperature while the device runs
  VthModel model;
  mutable MisreadTables misreads;  // mutable because it is a cache
  std::uint32_t blocks_per_die;
  std::uint32_t wordlines_per_block;
  FirstLayer first_layer;
  PageLayout layout;
  std::shared_ptr<WorkTeam> team;  // the threads of the simulation

  // The number of months at 30 C in which cells age as much as in one month in storage, or in one month of operation.
  double storage_months() const { return arrhenius_factor(cells.retention, condition.storage_temperature_c); }
  double running_months() const { return arrhenius_factor(cells.retention, condition.temperature_c); }

  // Returns the program time with an ISPP step of `step_mv`, divided by the program time with the device's default
  // step.
  double program_time_factor(double step_mv) const;

  std::uint64_t wordline_number(WordlineAddress where) const {
    return std::uint64_t{where.block.value} * wordlines_per_block + where.wordline;
  }

 private:
  mutable std::vector<std::pair<double, double>> known_factors_;  // pairs of step and factor; few are in use
};

}  // namespace nandscape::nand
