// SPDX-License-Identifier: Apache-2.0
// The configuration group `nand.cells`: the constants that describe one type of cell. Each subgroup is declared in the
// header of the effect that it describes, together with the equations. The files in platform/cells contain complete
// sets of these constants. The key `set` selects one of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/parameters.h"
#include "nand/cells/disturb.h"
#include "nand/cells/failures.h"
#include "nand/cells/interference.h"
#include "nand/cells/placement.h"
#include "nand/cells/random_telegraph_noise.h"
#include "nand/cells/read_levels.h"
#include "nand/cells/retention.h"
#include "nand/cells/sensing.h"
#include "nand/cells/variation.h"
#include "nand/cells/wear.h"

namespace nandscape::nand {

// The range of the measurements to which a set of constants was fitted. Outside of this range the equations
// extrapolate. They follow the trends in the literature, but their accuracy is unknown. Each list contains the lowest
// and the highest value, or is empty if no data were fitted.
struct FittedRangeParameters {
  std::vector<double> pe_cycles;
  std::vector<double> retention_months;  // at 30 C
  std::vector<double> temperature_c;
  std::vector<double> block_reads;
};

inline void describe(FittedRangeParameters& p, ParameterVisitor& v) {
  v.reals("pe_cycles", p.pe_cycles, {0, 1e6}, "", "least and most program/erase cycles");
  v.reals("retention_months", p.retention_months, {0, 1200}, "months", "least and most retention at 30 C");
  v.reals("temperature_c", p.temperature_c, {-273, 1000}, "c", "least and most temperature of reads");
  v.reals("block_reads", p.block_reads, {0, 1e12}, "", "least and most reads of a block");
}

// The constants of the program algorithm in ispp/ispp.h.
struct IsppParameters {
  double start_mv = 0;
  double speed_sigma_mv = 100;
  double t_pulse_us = 15;
  double t_verify_us = 8;
  double cells_left_behind = 1e-4;
};

inline void describe(IsppParameters& p, ParameterVisitor& v) {
  v.real("start_mv", p.start_mv, {-20000, 20000}, "mv", "Vth to which the first pulse lifts the median cell");
  v.real("speed_sigma_mv", p.speed_sigma_mv, {0, 20000}, "mv", "spread between slow and fast cells");
  v.real("t_pulse_us", p.t_pulse_us, {0.001, 10000}, "us", "duration of one program pulse");
  v.real("t_verify_us", p.t_verify_us, {0, 10000}, "us", "duration of one verify at one level");
  v.real("cells_left_behind", p.cells_left_behind, {1e-9, 0.5}, "",
         "share of cells that may miss their verify level when programming ends");
}

struct CellParameters {
  std::string set = "tlc_3d_48";
  PlacementParameters placement;
  IsppParameters ispp;
  WearParameters wear;
  RetentionParameters retention;
  RandomTelegraphNoiseParameters telegraph_noise;
  InterferenceParameters interference;
  DisturbParameters disturb;
  VariationParameters variation;
  SensingParameters sensing;
  ReadLevelParameters read_levels;
  FailureParameters failures;
  FittedRangeParameters fitted;
};
void describe(CellParameters& p, ParameterVisitor& v);

// Throws ConfigError if the constants contradict each other or do not match a cell with `states` states.
void check(const CellParameters& parameters, std::uint32_t states);

}  // namespace nandscape::nand
