// SPDX-License-Identifier: Apache-2.0
// Predicts the mean raw bit error rate of plain reads of a block's pages, for a controller that knows its flash. The
// predictions are computed from the same closed forms as the statistical cells.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "controller/mapping/block_age.h"
#include "nand/cell_models/cell_device.h"
#include "nand/cell_models/cell_model.h"
#include "platform/config/flash_device_parameters.h"

namespace nandscape {

// Returns the condition of an average wordline of a full block, after which half of the other wordlines were
// programmed.
nand::CellCondition full_block_condition(const controller::BlockAge& block, double read_temperature_c);

class PredictedRber {
 public:
  explicit PredictedRber(const nand::NandParameters& parameters);

  // Returns the prediction for a block, which is cached. Conditions that differ by less than steps of 2 % in age, 2 %
  // in cycles and 10 % in reads share a cached value.
  double operator()(const controller::BlockAge& block);
  // Computes the mean over all layers, over the variation of wordlines, and over the pages of a wordline. The result is
  // not cached.
  double mean_rber(const controller::BlockAge& block) const;

 private:
  nand::CellDevice device_;
  std::unordered_map<std::uint64_t, double> known_;
};

// Returns the predictor for a platform with this cell model.
controller::RberPredictor rber_predictor(const nand::NandParameters& parameters, const nand::CellModel& cells);
// Returns the raw bit error rate of a median wordline that has just been programmed with the ISPP step `step_mv`, at
// the configured number of P/E cycles.
double young_rber(const nand::NandParameters& parameters, double step_mv);
// Returns the raw bit error rate at which the device's code fails to correct the share `frame_error_rate` of the
// codewords.
double correctable_rber(const FlashDeviceParameters& parameters, double frame_error_rate = 1e-5);

}  // namespace nandscape
