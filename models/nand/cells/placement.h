// SPDX-License-Identifier: Apache-2.0
// The distribution of each state right after ISPP.
//
// The erased state has a Gaussian distribution [Liu 2012, eq. 2]. A programmed state has a flat top, which extends from
// the verify level to one ISPP step above it, and half-Gaussian tails of unequal width [Liu 2012, eq. 3 and 5]. The
// upper tail is caused by over-programming, the lower tail by early loss of charge. The noise of the individual pulses
// rounds the upper edge of the flat top (see ispp.h).
//
// If a wordline is programmed with a step d other than the default step d0, its verify levels are v(d) = v - a (d -
// d0). With a = 1/2 the middle of each state does not move, and with a = 1 its upper edge does not move.
//
// [Liu 2012] R.-S. Liu, C.-L. Yang, W. Wu, "Optimizing NAND Flash-Based SSDs via Retention Relaxation", FAST.
#pragma once

#include <vector>

#include "core/parameters.h"

namespace nandscape::nand {

struct PlacementParameters {
  double erased_mean_mv = -2500;
  double erased_sigma_mv = 200;
  std::vector<double> verify_mv = {675, 1375, 2075, 2775, 3475, 4175, 4875};
  double step_mv = 250;
  double verify_follows_step = 0.5;
  double tail_mv = 0;
  double low_tail_ratio = 1;
  double pulse_noise_mv = 0;
};

inline void describe(PlacementParameters& p, ParameterVisitor& v) {
  constexpr RealRange voltage = {-20000, 20000};
  v.real("erased_mean_mv", p.erased_mean_mv, voltage, "mv", "mean Vth of erased cells");
  v.real("erased_sigma_mv", p.erased_sigma_mv, {1, 20000}, "mv", "standard deviation of the Vth of erased cells");
  v.reals("verify_mv", p.verify_mv, voltage, "mv",
          "program-verify level of each programmed state, lowest first, at the device's own step; one fewer than the "
          "states of the coding");
  v.real("step_mv", p.step_mv, {1, 20000}, "mv", "ISPP step; the width of the flat top of a programmed state");
  v.real("verify_follows_step", p.verify_follows_step, {0, 1}, "",
         "how far the verify levels drop, relative to the increase of the ISPP step over the device's own");
  v.real("tail_mv", p.tail_mv, {0, 20000}, "mv", "standard deviation of the upper tail without program/erase cycles");
  v.real("low_tail_ratio", p.low_tail_ratio, {0, 10}, "",
         "lower tail right after programming, relative to the upper tail");
  v.real("pulse_noise_mv", p.pulse_noise_mv, {0, 20000}, "mv", "standard deviation of the rise by one ISPP pulse");
}

inline double verify_level(const PlacementParameters& p, std::size_t programmed_state, double step_mv) {
  return p.verify_mv[programmed_state - 1] - p.verify_follows_step * (step_mv - p.step_mv);
}

}  // namespace nandscape::nand
