// SPDX-License-Identifier: Apache-2.0
// A small die of cells with eight states, with all effects of the cell model enabled.
#pragma once

#include <string_view>

#include "core/random.h"
#include "nand/cell_models/cell_device.h"
#include "nand/cell_models/page_variations.h"

namespace nandscape::nand {

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
  order.bytes = device.layout.page_bytes;
  order.programmed_wordlines = device.wordlines_per_block;
  return order;
}

// Returns the arguments for a lookup of the misread tables, for a wordline of initial data that has not been read yet.
inline MisreadTables::Read first_reading(const CellDevice& device, const SenseOrder& order) {
  constexpr double days_per_month = 730 / 24.0;
  MisreadTables::Read read;
  read.coding = order.coding;
  read.page_type = order.page_type;
  read.retry_step = order.retry_step;
  read.setting = device.misreads.setting(order.timing, order.vref_offsets_mv);
  read.cycles = device.condition.pe_cycles;
  read.age_months = device.condition.retention_days / days_per_month;
  const std::uint32_t later = order.programmed_wordlines - order.where.wordline - 1;
  read.later_programs = static_cast<double>(later) / device.wordlines_per_block;
  read.temperature_c = device.condition.temperature_c;
  return read;
}

// Returns the closed-form misreads of the first read of such a wordline.
inline WordlineReads first_reads(const CellDevice& device, const SenseOrder& order, std::uint64_t seed,
                                 std::string_view die) {
  const PageVariations variations(device.cells.variation, device.wordlines_per_block, mix64(seed) ^ hash_name(die));
  return {device.model, *order.coding, device.misreads.condition(first_reading(device, order)),
          variations.of(order.where.block, order.where.wordline)};
}

}  // namespace nandscape::nand
