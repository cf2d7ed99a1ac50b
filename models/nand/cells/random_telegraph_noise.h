// SPDX-License-Identifier: Apache-2.0
// Random telegraph noise. A trap near the channel captures and releases an electron, which shifts the Vth of the cell.
// The distribution of the shift has exponential tails on both sides. The number of traps increases with program/erase
// cycles. Since charge is also lost through single traps, the tails widen in proportion to the law L(t) of the drift
// (see retention.h).
//
//   density  exp(-|x|/lambda) / (2 lambda),   lambda(PEC, t) = l (PEC/1000)^e (1 + g L(t))
//
// [Compagnoni 2009, "Random telegraph noise effect on the programmed threshold-voltage distribution of Flash memories";
// Pan 2011, "Exploiting memory device wear-out dynamics", FAST, which takes e = 0.62]
#pragma once

#include <cmath>

#include "core/parameters.h"

namespace nandscape::nand {

struct RandomTelegraphNoiseParameters {
  double lambda_mv = 0;
  double wear_exponent = 0.62;
  double age_growth = 0;
};

inline void describe(RandomTelegraphNoiseParameters& p, ParameterVisitor& v) {
  v.real("lambda_mv", p.lambda_mv, {0, 10000}, "mv", "mean size of the fluctuation at 1000 cycles");
  v.real("wear_exponent", p.wear_exponent, {0, 10}, "", "power of the cycles in the growth of the fluctuation");
  v.real("age_growth", p.age_growth, {0, 1000}, "",
         "relative growth of the fluctuation when L(t) of nand.cells.retention is 1");
}

// Returns lambda, in mV. `retention` is the value of L(t), see retention_law().
inline double telegraph_lambda_mv(const RandomTelegraphNoiseParameters& p, double kilocycles, double retention) {
  if (p.lambda_mv == 0) return 0;
  return p.lambda_mv * std::pow(kilocycles, p.wear_exponent) * (1 + p.age_growth * retention);
}

}  // namespace nandscape::nand
