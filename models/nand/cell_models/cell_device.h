// SPDX-License-Identifier: Apache-2.0
// Properties that the cells of all dies of a device share.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/temperature_source.h"
#include "nand/cell_models/misread_tables.h"
#include "nand/cells/vth_model.h"
#include "nand/ispp/ispp.h"
#include "nand/parameters.h"
#include "protocol/page_layout.h"

namespace nandscape::nand {

struct CellDevice {
  // Throws ConfigError if the cell constants do not fit the coding.
  CellDevice(const NandParameters& parameters, const PageLayout& page_layout,
             std::shared_ptr<const TemperatureSource> running_temperature);
  // The device always has the temperature of the parameters.
  CellDevice(const NandParameters& parameters, const PageLayout& page_layout)
      : CellDevice(parameters, page_layout, std::make_shared<ConstantTemperature>(parameters.condition.temperature_c)) {
  }
  // Codewords of `codeword_bytes` data bytes share all of the spare bytes.
  CellDevice(const NandParameters& parameters, std::uint32_t codeword_bytes)
      : CellDevice(parameters, PageLayout::sharing_spare(parameters.geometry.page_bytes,
                                                         parameters.geometry.spare_bytes, codeword_bytes)) {}

  const Coding& coding;
  CellParameters cells;
  ConditionParameters condition;
  std::shared_ptr<const TemperatureSource> temperature;  // while the device runs
  VthModel model;
  mutable MisreadTables misreads;  // a cache
  std::uint32_t blocks_per_die;
  std::uint32_t wordlines_per_block;
  FirstLayer first_layer;
  PageLayout layout;

  // Months at 30 C that age the cells as much as one month with the device off, or running.
  double storage_months() const { return arrhenius_factor(cells.retention, condition.storage_temperature_c); }
  double running_months() const { return arrhenius_factor(cells.retention, condition.temperature_c); }

  // Program time with a step of `step_mv`, relative to the device's own step.
  double program_time_factor(double step_mv) const;

  std::uint64_t wordline_number(WordlineAddress where) const {
    return std::uint64_t{where.block.value} * wordlines_per_block + where.wordline;
  }

 private:
  mutable std::vector<std::pair<double, double>> known_factors_;  // by step; few are in use
};

}  // namespace nandscape::nand
