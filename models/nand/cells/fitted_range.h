// SPDX-License-Identifier: Apache-2.0
// The range of the measurements to which a set of constants was fitted. Beyond it the equations extrapolate and follow
// the trends in the literature, with unknown accuracy.
#pragma once

#include <vector>

#include "core/parameters.h"

namespace nandscape::nand {

// Each list holds the least and the greatest value; it is empty if nothing was fitted.
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

}  // namespace nandscape::nand
