// SPDX-License-Identifier: Apache-2.0
// Read disturb and program disturb. When a wordline is read or programmed, the cells of the other wordlines are exposed
// to a pass voltage, which injects a little charge into them. The lower the Vth of a cell, the more charge is injected.
//
//   read:     shift(c) = r (1 + w (PEC/1000)^e) (reads/100 000)^m exp(-(c - c_0)/s)
//   program:  shift(c) = p f exp(-(c - c_0)/s)
//
// Here, c is the centre of the cell's state, c_0 is the centre of the erased state, and f is the share of the block's
// wordlines that were programmed after the cell's wordline. [Cai 2015, "Read disturb errors in MLC NAND flash memory",
// DSN] measured that the rise is exponential in Vth and nearly linear in reads, with a rate that grows with cycles.
//
// A few cells are much more sensitive to disturb than others. Each read lifts such a cell with the same small
// probability. The share of lifted cells, and thus the number of errors, is therefore nearly proportional to the number
// of reads:
//
//   lifted(c) = 1 - exp(-n),   n = q (1 + w (PEC/1000)^e) (reads/100 000)^m exp(-(c - c_0)/s)
//
// The lift of these cells is exponentially distributed with the mean a.
#pragma once

#include <cmath>

#include "core/parameters.h"
#include "nand/cells/condition.h"

namespace nandscape::nand {

struct DisturbParameters {
  double read_shift_mv = 0;
  double read_wear = 0;
  double read_wear_exponent = 1;
  double read_exponent = 1;
  double prone_share = 0;
  double prone_lift_mv = 0;
  double program_shift_mv = 0;
  double scale_mv = 1000;
};

inline void describe(DisturbParameters& p, ParameterVisitor& v) {
  v.real("read_shift_mv", p.read_shift_mv, {0, 10000}, "mv",
         "rise of erased cells after 100 000 reads of their block without program/erase cycles");
  v.real("read_wear", p.read_wear, {0, 1000}, "", "relative growth of read_shift_mv and prone_share at 1000 cycles");
  v.real("read_wear_exponent", p.read_wear_exponent, {0.01, 10}, "",
         "power of the cycles in the growth of read disturb");
  v.real("read_exponent", p.read_exponent, {0.01, 10}, "", "power of the reads in read disturb");
  v.real("prone_share", p.prone_share, {0, 1000}, "",
         "lifts of single cells per erased cell after 100 000 reads of the block without program/erase cycles");
  v.real("prone_lift_mv", p.prone_lift_mv, {0, 10000}, "mv", "mean lift of these prone cells");
  v.real("program_shift_mv", p.program_shift_mv, {0, 10000}, "mv",
         "rise of erased cells when all other wordlines of the block are programmed");
  v.real("scale_mv", p.scale_mv, {1, 100000}, "mv", "voltage over which all disturb falls by a factor e");
}

// Returns true if reads disturb cells with these parameters.
inline bool reads_disturb(const DisturbParameters& p) { return p.read_shift_mv > 0 || p.prone_share > 0; }

// Returns the effect of the block's reads, relative to the effect of 100 000 reads of a block without program/erase
// cycles.
inline double read_disturb_growth(const DisturbParameters& p, const CellCondition& c) {
  return (1 + p.read_wear * std::pow(c.kilocycles, p.read_wear_exponent)) *
         std::pow(c.kiloreads / 100, p.read_exponent);
}

// Returns the shift that read and program disturb cause in a state whose centre is `above_erased_mv` above the centre
// of the erased state.
inline double disturb_shift_mv(const DisturbParameters& p, const CellCondition& c, double above_erased_mv) {
  const double read = p.read_shift_mv == 0 ? 0 : p.read_shift_mv * read_disturb_growth(p, c);
  const double program = p.program_shift_mv * c.later_programs;
  return (read + program) * std::exp(-above_erased_mv / p.scale_mv);
}

// Returns the share of the state's cells that have been lifted by reads.
inline double lifted_share(const DisturbParameters& p, const CellCondition& c, double above_erased_mv) {
  if (p.prone_share == 0 || c.kiloreads == 0) return 0;
  return -std::expm1(-p.prone_share * read_disturb_growth(p, c) * std::exp(-above_erased_mv / p.scale_mv));
}

}  // namespace nandscape::nand
