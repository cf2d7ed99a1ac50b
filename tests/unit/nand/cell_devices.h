// SPDX-License-Identifier: Apache-2.0
// A small die of eight-state cells with every effect in it.
#pragma once

#include "nand/cell_device.h"

namespace nandscape {

inline NandParameters small_die() {
  NandParameters p;
  p.geometry.planes_per_die = 1;
  p.geometry.blocks_per_plane = 8;
  p.geometry.pages_per_block = 48;
  p.geometry.page_bytes = 4096;
  p.geometry.spare_bytes = 512;
  p.coding = "tlc_232";
  p.cells.placement.tail_mv = 70;
  p.cells.placement.pulse_noise_mv = 15;
  p.cells.ispp.speed_sigma_mv = 300;
  p.cells.wear.tail_growth = 0.12;
  p.cells.retention.shift_mv = 50;
  p.cells.retention.wear_shift_mv = 22;
  p.cells.retention.low_state_share = 0.9;
  p.cells.retention.tail_mv = 50;
  p.cells.retention.loss_noise_mv = 2;
  p.cells.telegraph_noise.lambda_mv = 10;
  p.cells.interference.vertical = 0.01;
  p.cells.interference.diagonal = 0.002;
  p.cells.disturb.read_shift_mv = 20;
  p.cells.disturb.program_shift_mv = 10;
  p.cells.disturb.scale_mv = 3000;
  p.cells.variation = {
      .layers = 8, .layer_width = 0.05, .layer_shift = 0.05, .width_sigma = 0.012, .shift_sigma = 0.024};
  p.cells.sensing.precharge_median_us = 3.02;
  p.cells.sensing.discharge_median_us = 1.57;
  p.cells.sensing.evaluation_median_us = 1.86;
  p.cells.read_levels.capture_range_mv = 170;
  p.condition.pe_cycles = 1000;
  p.condition.retention_days = 90;
  return p;
}

inline SenseOrder whole_page(const CellDevice& device, WordlineAddress where, std::uint32_t page_type,
                             std::uint32_t retry_step = 0) {
  SenseOrder order;
  order.where = where;
  order.coding = &device.coding;
  order.page_type = page_type;
  order.retry_step = retry_step;
  order.timing = device.model.standard_timing();
  order.bytes = device.page_bytes;
  order.programmed_wordlines = device.wordlines_per_block;
  return order;
}

}  // namespace nandscape
