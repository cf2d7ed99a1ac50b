// SPDX-License-Identifier: Apache-2.0
// What a controller that knows its flash expects of a block: the mean raw bit error rate of plain reads of its pages,
// from the same closed forms that the statistical cells draw from.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "controller/mapping/block_age.h"
#include "nand/cell_models/cell_device.h"
#include "nand/cell_models/cell_model.h"
#include "platform/config/flash_device_parameters.h"

namespace nandscape {

// Of a wordline of the block: half of the others, on average, were programmed after it.
nand::CellCondition full_block_condition(const controller::BlockAge& block, double read_temperature_c);

class PredictedRber {
 public:
  explicit PredictedRber(const nand::NandParameters& parameters);

  // Conditions within 2 % of the age, 2 % of the cycles and 10 % of the reads are the same.
  double operator()(const controller::BlockAge& block);
  // Over all layers, the spread of wordlines and the pages of a wordline; computed anew at each call.
  double mean_rber(const controller::BlockAge& block) const;

 private:
  nand::CellDevice device_;
  std::unordered_map<std::uint64_t, double> known_;
};

// The predictor of a platform whose cells are modelled so.
controller::RberPredictor rber_predictor(const nand::NandParameters& parameters, const nand::CellModel& cells);
// Of a median wordline after so many cycles that was programmed with that step just now.
double young_rber(const nand::NandParameters& parameters, double step_mv);
// The raw bit error rate at which its code fails to correct that share of the codewords.
double correctable_rber(const FlashDeviceParameters& parameters, double frame_error_rate = 1e-5);

}  // namespace nandscape
