// SPDX-License-Identifier: Apache-2.0
// Random telegraph noise: a trap near the channel that catches and frees an electron moves a cell's Vth by an amount
// with exponential tails on both sides; more traps come with cycles.
//
//   density  exp(-|x|/lambda) / (2 lambda),   lambda(PEC) = l (PEC/1000)^e
//
// [Compagnoni 2009, "Random telegraph noise effect on the programmed threshold-voltage distribution of Flash memories";
//  Pan 2011, "Exploiting memory device wear-out dynamics", FAST, which takes e = 0.62]
#pragma once

#include <cmath>

#include "core/parameters.h"

namespace nandscape::nand {

struct RandomTelegraphNoiseParameters {
  double lambda_mv = 0;
  double wear_exponent = 0.62;
};

inline void describe(RandomTelegraphNoiseParameters& p, ParameterVisitor& v) {
  v.real("lambda_mv", p.lambda_mv, {0, 10000}, "mv", "mean size of the fluctuation at 1000 cycles");
  v.real("wear_exponent", p.wear_exponent, {0, 10}, "", "power of the cycles with which it grows");
}

inline double telegraph_lambda_mv(const RandomTelegraphNoiseParameters& p, double kilocycles) {
  return p.lambda_mv * std::pow(kilocycles, p.wear_exponent);
}

}  // namespace nandscape::nand
