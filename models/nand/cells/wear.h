// SPDX-License-Identifier: Apache-2.0
// The effect of program/erase cycles (PEC). Traps in the tunnel oxide widen the erased state and the tails of the
// programmed states. Trapped charge raises the erased state.
//
//   tail(PEC)   = tail(0) sqrt(1 + b (PEC/1000)^p)      also for the deviation of the erased state
//   erased(PEC) = erased(0) + e (PEC/1000)^r
//
// The square-root growth of programming noise with cycles follows [Compagnoni 2008, "Ultimate accuracy for the NAND
// Flash program algorithm"]. [Cai 2013, "Threshold voltage distribution in MLC NAND flash memory"] measured the rise of
// the erased state. For the effect of wear on retention see retention.h.
#pragma once

#include <cmath>

#include "core/parameters.h"

namespace nandscape::nand {

struct WearParameters {
  double tail_growth = 0;
  double tail_exponent = 0.5;
  double erased_shift_mv = 0;
  double erased_shift_exponent = 0.5;
};

inline void describe(WearParameters& p, ParameterVisitor& v) {
  v.real("tail_growth", p.tail_growth, {0, 1000}, "", "relative growth of the tails' variance at 1000 cycles");
  v.real("tail_exponent", p.tail_exponent, {0.01, 10}, "", "power of the cycles in the growth of that variance");
  v.real("erased_shift_mv", p.erased_shift_mv, {0, 10000}, "mv", "rise of the erased state at 1000 cycles");
  v.real("erased_shift_exponent", p.erased_shift_exponent, {0.01, 10}, "",
         "power of the cycles in the rise of the erased state");
}

inline double wear_tail_factor(const WearParameters& p, double kilocycles) {
  return std::sqrt(1 + p.tail_growth * std::pow(kilocycles, p.tail_exponent));
}

inline double wear_erased_shift_mv(const WearParameters& p, double kilocycles) {
  return p.erased_shift_mv == 0 ? 0 : p.erased_shift_mv * std::pow(kilocycles, p.erased_shift_exponent);
}

}  // namespace nandscape::nand
