// SPDX-License-Identifier: Apache-2.0
// Predicts the mean raw bit error rate of plain reads of a block's pages, for a controller that knows its flash. It
// uses the same closed forms as the statistical cells.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "controller/mapping/block_age.h"
#include "nand/cell_models/cell_device.h"
#include "nand/cell_models/cell_model.h"
#include "platform/config/flash_device_parameters.h"

namespace nandscape {

// The condition of an average wordline of a full block: half of the other wordlines were programmed after it.
nand::CellCondition full_block_condition(const controller::BlockAge& block, double read_temperature_c);

class PredictedRber {
 public:
  explicit PredictedRber(const nand::NandParameters& parameters);

  // The cached prediction. Conditions within steps of 2 % in age, 2 % in cycles and 10 % in reads share a value.
  double operator()(const controller::BlockAge& block);
  // The mean over all layers, over the variation of wordlines, and over the pages of a wordline; not cached.
  double mean_rber(const controller::BlockAge& block) const;

 private:
  nand::CellDevice device_;
  std::unordered_map<std::uint64_t, double> known_;
};

// The predictor for a platform with this cell model.
controller::RberPredictor rber_predictor(const nand::NandParameters& parameters, const nand::CellModel& cells);
// The raw bit error rate of a median wordline just programmed with that step, at the configured P/E cycles.
double young_rber(const nand::NandParameters& parameters, double step_mv);
// The raw bit error rate at which the device's code fails to correct that share of the codewords.
double correctable_rber(const FlashDeviceParameters& parameters, double frame_error_rate = 1e-5);

}  // namespace nandscape
