// SPDX-License-Identifier: Apache-2.0
// Configuration group `nand.cells`: the constants of one kind of cell. Each subgroup is declared with its equations in
// the file of its effect. The files in platform/cells are sets of these constants for whole devices, chosen by `set`.
#pragma once

#include <cstdint>
#include <string>

#include "nand/cells/disturb.h"
#include "nand/cells/failures.h"
#include "nand/cells/fitted_range.h"
#include "nand/cells/interference.h"
#include "nand/cells/ispp_timing.h"
#include "nand/cells/placement.h"
#include "nand/cells/random_telegraph_noise.h"
#include "nand/cells/read_levels.h"
#include "nand/cells/retention.h"
#include "nand/cells/sensing.h"
#include "nand/cells/variation.h"
#include "nand/cells/wear.h"

namespace nandscape::nand {

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

// Throws ConfigError if the constants are inconsistent or do not fit a cell of `states` states.
void check(const CellParameters& parameters, std::uint32_t states);

}  // namespace nandscape::nand
