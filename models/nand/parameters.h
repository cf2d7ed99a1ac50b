// SPDX-License-Identifier: Apache-2.0
// Configuration group `nand`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/parameters.h"
#include "nand/cells/parameters.h"
#include "nand/energy.h"

namespace nandscape::nand {

// The layer that contains page 0 of a block, for dies whose wordlines lie in layers.
enum class FirstLayer { lowest, by_block };

struct NandGeometryParameters {
  std::uint32_t chips_per_channel = 2;
  std::uint32_t dies_per_chip = 2;
  std::uint32_t planes_per_die = 2;
  std::uint32_t blocks_per_plane = 1888;
  std::uint32_t pages_per_block = 576;
  std::uint32_t page_bytes = 16384;
  std::uint32_t spare_bytes = 2208;
  FirstLayer first_layer = FirstLayer::lowest;
};
// Throws ConfigError if the page size is not a multiple of the sector size, or if there are more dies, blocks or pages
// than can be simulated.
void check(const NandGeometryParameters& parameters, std::uint32_t channels);
void describe(NandGeometryParameters& p, ParameterVisitor& v);

enum class ReadTime { senses, per_page_type };
enum class ProgramTime { given, ispp };
// What an array operation of a program writes: a page, or all pages of a wordline at once.
enum class ProgramUnit { page, wordline };
inline constexpr std::uint32_t most_program_passes = 2;

struct NandTimingParameters {
  ReadTime read = ReadTime::senses;
  double t_pre_us = 24;
  double t_eval_us = 5;
  double t_disch_us = 10;
  std::vector<double> t_read_us = {78, 117, 78};
  ProgramTime program = ProgramTime::given;
  ProgramUnit program_unit = ProgramUnit::page;
  double t_load_us = 3;
  double t_prog_us = 700;
  std::uint32_t program_passes = 1;
  double t_prog_first_us = 700;
  double t_prog_slc_us = 200;
  double t_adjust_us = 0;
  double t_bers_us = 5000;
  double t_suspend_us = 20;
  double t_resume_us = 20;
  double t_rcbsy_us = 3;
  double t_pcbsy_us = 3;
  double t_rst_read_us = 5;
  double t_rst_program_us = 10;
  double t_rst_erase_us = 500;
  double t_feat_us = 1;
};
void describe(NandTimingParameters& p, ParameterVisitor& v);

// The wear and the age of the flash when the simulation begins, and its temperatures.
struct ConditionParameters {
  std::uint32_t pe_cycles = 0;
  double retention_days = 0;
  double storage_temperature_c = 30;
  double temperature_c = 30;
  VariantChoice temperature{"constant", nullptr};
  std::uint64_t block_reads = 0;
};
void describe(ConditionParameters& p, ParameterVisitor& v);

struct NandParameters {
  NandGeometryParameters geometry;
  std::string coding = "tlc_232";
  bool independent_plane_reads = false;
  NandTimingParameters timing;
  CellParameters cells;
  ConditionParameters condition;
  NandEnergyParameters energy;
};
void describe(NandParameters& p, ParameterVisitor& v);

}  // namespace nandscape::nand
